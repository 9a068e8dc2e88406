import { useState } from 'react'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Tag } from '../../parts/Tag.tsx'
import type { FigureRows } from './tables.ts'
import css from './figures.module.css'

/** Rows that are shown at first, and added at once. */
const ROWS = 20

/** Figures as rows; the first column names them. */
export function FigureTable({ part: { title, head, rows } }: { part: FigureRows }) {
  const { figures, locale } = useWords()
  const [most, setMost] = useState(ROWS)
  if (rows.length === 0) return <p className={css.nothing}>{figures.none}</p>
  const textOf = (value: string | number) => (typeof value === 'number' ? value.toLocaleString(locale) : value)
  return (
    <div className={css.scroll} role="group" tabIndex={0} aria-label={title}>
      <table className={css.table}>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map(([name, ...values], index) => (
            <tr key={`${name}-${index}`}>
              <th scope="row">{name}</th>
              {values.map((value, at) => (
                <td key={head[at + 1]}>{value === figures.underFive ? <Tag>{value}</Tag> : textOf(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <Button className={css.more} onClick={() => setMost(most + ROWS)}>
          {figures.more(Math.min(ROWS, rows.length - most), rows.length)}
        </Button>
      )}
    </div>
  )
}
