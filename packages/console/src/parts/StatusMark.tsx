import { Tooltip } from '@mantine/core'
import { useWords } from '../languages/words.tsx'
import { lookOf, type Shape } from './statuses.ts'
import css from './parts.module.css'

/** A status as shape, color and word. The API value is in the tooltip. */
export function StatusMark({ status, isTag = false }: { status: string; isTag?: boolean }) {
  const words = useWords()
  const { shape, tone, part } = lookOf(status)
  return (
    <Tooltip label={status} openDelay={400}>
      <span className={`${css.status} ${isTag ? css.statusTag : ''}`} data-tone={tone} data-status={status}>
        <StatusIcon shape={shape} part={part} />
        {words.statuses[status] ?? status}
      </span>
    </Tooltip>
  )
}

/** 14 px, drawn in the color of its text. */
export function StatusIcon({ shape, part = 0.5 }: { shape: Shape; part?: number | undefined }) {
  return (
    <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true" className={css.statusIcon}>
      {DRAWINGS[shape](part)}
    </svg>
  )
}

const ring = <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.7" />
const disc = <circle cx="8" cy="8" r="7" fill="currentColor" />
const onDisc = {
  fill: 'none',
  stroke: 'var(--surface)',
  strokeWidth: 1.9,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const DRAWINGS: Record<Shape, (part: number) => React.ReactNode> = {
  dashed: () => (
    <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.7" strokeDasharray="2.2 1.57" />
  ),
  ring: () => ring,
  pie: (part) => (
    <>
      {ring}
      <path d={sector(part)} fill="currentColor" />
    </>
  ),
  check: () => (
    <>
      {disc}
      <path d="m5 8.3 2.1 2.1L11.1 6" {...onDisc} />
    </>
  ),
  alert: () => (
    <>
      {disc}
      <path d="M8 4.6v4M8 11.3v.01" {...onDisc} />
    </>
  ),
  bar: () => (
    <>
      {disc}
      <path d="M5 8h6" {...onDisc} />
    </>
  ),
  struck: () => (
    <>
      {ring}
      <path d="m4 12 8-8" fill="none" stroke="currentColor" strokeWidth="1.7" />
    </>
  ),
  triangle: () => (
    <>
      <path d="M8 1.6 15 14H1Z" fill="currentColor" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
      <path d="M8 6v3.6M8 11.9v.01" {...onDisc} />
    </>
  ),
}

function sector(part: number): string {
  const angle = 2 * Math.PI * part
  const [x, y] = [8 + 3.6 * Math.sin(angle), 8 - 3.6 * Math.cos(angle)]
  return `M8 8V4.4A3.6 3.6 0 ${part > 0.5 ? 1 : 0} 1 ${x.toFixed(2)} ${y.toFixed(2)}Z`
}
