import { useId } from 'react'
import css from './parts.module.css'

interface Props<T extends string> {
  label: string
  options: readonly { value: T; label: string }[]
  value: T
  onChange: (value: T) => void
  /** Without a visible label, for bars of filters. */
  isBare?: boolean
}

/** One of several, as the browser offers it. */
export function Select<T extends string>({ label, options, value, onChange, isBare = false }: Props<T>) {
  const id = useId()
  return (
    <div className={css.field}>
      {!isBare && <label htmlFor={id}>{label}</label>}
      <select
        id={id}
        className={css.input}
        aria-label={isBare ? label : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value as T)}
      >
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
    </div>
  )
}
