import type { ReactNode } from 'react'
import css from './results.module.css'

export type SummaryLine = [label: string, value: ReactNode]

/** What a message says, a line each. */
export const SummaryLines = ({ lines }: { lines: readonly SummaryLine[] }) => (
  <dl className={css.summary}>
    {lines.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
