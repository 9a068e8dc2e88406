import type { ReactNode } from 'react'
import type { Tone } from './statuses.ts'
import css from './parts.module.css'

export function Tag({
  tone = 'neutral',
  isOutlined = false,
  children,
}: {
  tone?: Tone
  isOutlined?: boolean
  children: ReactNode
}) {
  return (
    <span className={css.tag} data-tone={tone} data-outlined={isOutlined}>
      {children}
    </span>
  )
}

/** Why something is not shown. */
export const Withheld = ({ children }: { children: ReactNode }) => <div className={css.withheld}>{children}</div>
