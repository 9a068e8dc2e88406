import { useState } from 'react'
import { useWords } from '../../languages/words.tsx'
import { Bone } from '../../parts/States.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { ListSearch } from '../../shell/ListSearch.tsx'
import { useRows } from '../../shell/rows.ts'
import { capacityOf } from './day.ts'
import type { RankedClinic } from './ranking.ts'
import css from './bookings.module.css'

interface Props {
  ranked: RankedClinic[]
  date: string
  isLoading: boolean
  chosen: string | undefined
  onOpen: (id: string | undefined) => void
}

export function ClinicList({ ranked, date, isLoading, chosen, onOpen }: Props) {
  const words = useWords()
  const [text, setText] = useState('')
  const needle = text.trim().toLowerCase()
  const rows = ranked.filter(({ clinic: { name, address } }) =>
    [name, address?.city, address?.postalCode].some((part) => part?.toLowerCase().includes(needle)),
  )
  const { at } = useRows({ rows, opened: chosen, idOf: ({ clinic }) => clinic.id, onOpen })
  return (
    <nav className={css.list} aria-label={words.bookings.clinics}>
      <ListSearch label={words.bookings.find} text={text} onChange={setText} className={css.find} />
      {isLoading &&
        Array.from({ length: 8 }, (_, index) => (
          <div key={index} className={css.clinic}>
            <Bone width={150} />
            <Bone width={90} />
          </div>
        ))}
      {rows.map((row, index) => (
        <ClinicRow
          key={row.clinic.id}
          {...{ row, date }}
          isChosen={row.clinic.id === chosen}
          isAt={index === at}
          onOpen={() => onOpen(row.clinic.id)}
        />
      ))}
      {!isLoading && rows.length === 0 && <p className={css.quiet}>{words.bookings.noClinics}</p>}
    </nav>
  )
}

interface RowProps {
  row: RankedClinic
  date: string
  isChosen: boolean
  isAt: boolean
  onOpen: () => void
}

function ClinicRow({ row: { clinic, booked, stranded }, date, isChosen, isAt, onOpen }: RowProps) {
  const words = useWords()
  const capacity = clinic.isActive ? capacityOf(clinic, date) : null
  const part = capacity ? Math.min(1, booked / capacity) : 0
  return (
    <button type="button" className={css.clinic} aria-current={isChosen} data-at={isAt} onClick={onOpen}>
      <b>{clinic.name}</b>
      {!clinic.isActive && <Tag tone="warn">{words.bookings.off}</Tag>}
      <small>{[clinic.address?.city, clinic.address?.state].filter(Boolean).join(', ')}</small>
      <small className={css.load}>
        {capacity !== null && capacity > 0 && (
          <span className={css.meter} data-high={part > 0.9}>
            <span style={{ width: `${part * 100}%` }} />
          </span>
        )}
        {words.bookings.count(clinic.isActive ? booked : stranded, capacity)}
      </small>
    </button>
  )
}
