import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'
import { useShortcut } from './keyboard.tsx'
import css from './list.module.css'

interface Props {
  label: string
  text: string
  onChange: (text: string) => void
  className?: string | undefined
}

/** Narrows a list while somebody types. `/` leads to it; Enter and Escape lead back to the rows. */
export function ListSearch({ label, text, onChange, className = '' }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useShortcut('/', () => field.current?.focus())
  return (
    <div className={`${css.search} ${className}`}>
      <IconSearch size={15} />
      <input
        ref={field}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => ['Enter', 'Escape'].includes(event.key) && field.current?.blur()}
      />
    </div>
  )
}
