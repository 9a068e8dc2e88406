import { IconMinus, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mapQuery } from '../../api/catalog.ts'
import { useWords } from '../../languages/words.tsx'
import { IconButton } from '../../parts/Button.tsx'
import { Failure, SlowNotice } from '../../parts/States.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { frameOf, MOST_ZOOM } from './frame.ts'
import css from './map.module.css'

interface Props {
  /** The clinics of the list below, which keyboards use instead. */
  shown: ReadonlySet<string>
  chosen: string | undefined
  onOpen: (id: string) => void
}

/** Where the clinics of the list are. Drawn from outlines of the service: nothing is loaded from elsewhere. */
export function ClinicMap({ shown, chosen, onOpen }: Props) {
  const { catalog } = useWords()
  const map = useQuery(mapQuery)
  const [zoom, setZoom] = useState(0)
  const change = (step: number) => setZoom((now) => Math.max(0, Math.min(MOST_ZOOM, now + step)))
  useShortcut('+', () => change(1))
  useShortcut('-', () => change(-1))
  if (map.error && !map.data) return <Failure error={map.error} onRetry={() => void map.refetch()} />
  if (!map.data) return <SlowNotice />
  const { width, height, states, clinics } = map.data
  const dots = clinics.filter(({ id }) => shown.has(id))
  const selected = dots.find(({ id }) => id === chosen)
  const { viewBox, scale } = frameOf({ width, height }, zoom, selected)
  return (
    <div className={css.map}>
      <svg viewBox={viewBox} role="img" aria-label={catalog.map.title(dots.length)}>
        <path className={css.states} d={states} vectorEffect="non-scaling-stroke" />
        {selected && <circle className={css.halo} cx={selected.x} cy={selected.y} r={26 * scale} />}
        {dots.map(({ id, isActive, x, y }) => (
          <circle
            key={id}
            className={css.dot}
            cx={x}
            cy={y}
            r={(id === chosen ? 8 : 5) * scale}
            strokeWidth={2 * scale}
            data-active={isActive}
            data-chosen={id === chosen}
            onClick={() => onOpen(id)}
          />
        ))}
      </svg>
      <Legend />
      <span className={css.zoom}>
        <IconButton label={catalog.map.closer} onClick={() => change(1)}>
          <IconPlus size={15} />
        </IconButton>
        <IconButton label={catalog.map.farther} onClick={() => change(-1)}>
          <IconMinus size={15} />
        </IconButton>
      </span>
    </div>
  )
}

function Legend() {
  const { catalog } = useWords()
  return (
    <span className={css.legend} aria-hidden="true">
      <i data-active="true" /> {catalog.states.active}
      <i /> {catalog.states.inactive}
      <i data-chosen="true" /> {catalog.map.selected}
    </span>
  )
}
