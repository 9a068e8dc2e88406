import type { ComponentProps, ReactNode } from 'react'
import { Keys } from './Keys.tsx'
import css from './parts.module.css'

interface Props extends ComponentProps<'button'> {
  look?: 'plain' | 'filled' | 'danger' | 'dangerFilled' | 'soft' | 'bare'
  size?: 'bar' | 'form'
  icon?: ReactNode
  /** The key that presses it, printed on it. */
  keys?: string
  isBusy?: boolean
}

/** While it is busy it does nothing, but keeps the focus, which a disabled button would lose. */
export function Button({ look = 'plain', size = 'bar', icon, keys, isBusy = false, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isBusy}
      aria-disabled={isBusy}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
      className={`${css.button} ${rest.className ?? ''}`}
      data-look={look}
      data-size={size}
    >
      {isBusy ? <span className={css.spinner} /> : icon}
      {children}
      {keys !== undefined && <Keys keys={keys} />}
    </button>
  )
}

/** A button that shows only an icon. */
export function IconButton({ label, children, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`${css.iconButton} ${rest.className ?? ''}`}
    >
      {children}
    </button>
  )
}
