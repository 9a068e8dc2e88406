import { Menu } from '@mantine/core'
import { IconFilter, IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Keys } from '../../parts/Keys.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { FilterToken } from './FilterToken.tsx'
import { choiceOf, FILTERS, NO_FILTERS, searchOf, type FilterName, type OrdersSearch } from './search.ts'
import css from './orders.module.css'

interface Props {
  search: OrdersSearch
  onChange: (changes: Partial<Record<keyof OrdersSearch, string | undefined>>) => void
}

/** The filters of the list as tokens of three parts. */
export function FilterBar({ search, onChange }: Props) {
  const words = useWords()
  const [edited, setEdited] = useState<FilterName>()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useShortcut('f', () => setMenuOpen(true))
  useShortcut('/', () => field.current?.focus())
  const shown = FILTERS.filter((name) => choiceOf(search, name).values.length > 0 || edited === name)
  const hasFilters = shown.length > 0 || search.q !== undefined
  return (
    <div className={css.filters}>
      <SearchField field={field} value={search.q ?? ''} onChange={(q) => onChange({ q: q || undefined })} />
      {shown.map((name) => (
        <FilterToken
          key={name}
          name={name}
          choice={choiceOf(search, name)}
          isOpen={edited === name}
          onOpen={(isOpen) => setEdited(isOpen ? name : undefined)}
          onChange={(choice) => onChange(searchOf(name, choice))}
        />
      ))}
      <Menu opened={isMenuOpen} onChange={setMenuOpen} position="bottom-start">
        <Menu.Target>
          <Button look="bare" icon={<IconFilter size={15} />} keys="f">
            {words.orders.filter}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FILTERS.filter((name) => !shown.includes(name)).map((name) => (
            <Menu.Item key={name} onClick={() => setEdited(name)}>
              {words.orders.filters[name]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {hasFilters && (
        <button type="button" className={css.clear} onClick={() => onChange({ q: undefined, ...NO_FILTERS })}>
          {words.actions.clear}
        </button>
      )}
      <span className={css.order}>{words.orders.newest}</span>
    </div>
  )
}

function SearchField({
  field,
  value,
  onChange,
}: {
  field: RefObject<HTMLInputElement | null>
  value: string
  onChange: (q: string) => void
}) {
  const words = useWords()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <form
      className={css.search}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(text.trim())
        field.current?.blur()
      }}
    >
      <IconSearch size={15} />
      <input
        ref={field}
        aria-label={words.orders.search}
        placeholder={words.orders.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => text.trim() !== value && onChange(text.trim())}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <Keys keys="/" />
    </form>
  )
}
