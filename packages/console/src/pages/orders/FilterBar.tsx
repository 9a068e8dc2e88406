import { Menu, Popover } from '@mantine/core'
import { IconFilter, IconSearch, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { catalogQuery } from '../../api/catalog.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Keys } from '../../parts/Keys.tsx'
import { StatusIcon } from '../../parts/StatusMark.tsx'
import { LOOKS, lookOf } from '../../parts/statuses.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { FILTERS, type FilterName, type OrdersSearch } from './search.ts'
import css from './orders.module.css'

interface Props {
  search: OrdersSearch
  onChange: (changes: Partial<Record<keyof OrdersSearch, string | undefined>>) => void
}

const DAYS = [1, 7, 30, 90]
/** Statuses that only services have. */
const OF_SERVICES = new Set([
  'linkSent',
  'checkedIn',
  'collected',
  'inTransit',
  'receivedAtLab',
  'testing',
  'mroReview',
  'inProgress',
  'negativeDilute',
])
const ORDER_STATUSES = Object.keys(LOOKS).filter((status) => !OF_SERVICES.has(status))

/** The filters of the list as tokens of three parts, of which the last can be changed. */
export function FilterBar({ search, onChange }: Props) {
  const words = useWords()
  const [edited, setEdited] = useState<FilterName>()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useShortcut('f', () => setMenuOpen(true))
  useShortcut('/', () => field.current?.focus())
  const shown = FILTERS.filter((name) => search[name] !== undefined || edited === name)
  const hasFilters = shown.length > 0 || search.q !== undefined
  return (
    <div className={css.filters}>
      <SearchField field={field} value={search.q ?? ''} onChange={(q) => onChange({ q: q || undefined })} />
      {shown.map((name) => (
        <Token
          key={name}
          name={name}
          value={search[name]}
          isOpen={edited === name}
          onOpen={(isOpen) => setEdited(isOpen ? name : undefined)}
          onChange={(value) => {
            setEdited(undefined)
            onChange({ [name]: value })
          }}
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
        <button
          type="button"
          className={css.clear}
          onClick={() => onChange({ q: undefined, ...Object.fromEntries(FILTERS.map((name) => [name, undefined])) })}
        >
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

interface TokenProps {
  name: FilterName
  value: string | undefined
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onChange: (value: string | undefined) => void
}

function Token({ name, value, isOpen, onOpen, onChange }: TokenProps) {
  const words = useWords()
  const options = useOptions(name)
  const label = words.orders.filters[name]
  const { filters } = words.orders
  const shown = options?.find((option) => option.value === value)?.label ?? value ?? '…'
  return (
    <span className={css.token} data-filter={name}>
      <span>{label}</span>
      <span>{name === 'created' || name === 'updated' ? filters.in : filters.is}</span>
      <Popover opened={isOpen} onChange={onOpen} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <button
            type="button"
            className={css.tokenValue}
            onClick={() => onOpen(!isOpen)}
            aria-label={`${label}: ${shown}`}
          >
            {shown}
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          {options ? (
            <Options {...{ options, value, onChange, label }} />
          ) : (
            <FreeValue {...{ value, onChange, label }} />
          )}
        </Popover.Dropdown>
      </Popover>
      <button
        type="button"
        className={css.tokenRemove}
        aria-label={words.actions.remove(label)}
        onClick={() => onChange(undefined)}
      >
        <IconX size={13} />
      </button>
    </span>
  )
}

interface Option {
  value: string
  label: string
  icon?: React.ReactNode
}

function Options({
  options,
  value,
  onChange,
  label,
}: {
  options: Option[]
  value: string | undefined
  onChange: (value: string) => void
  label: string
}) {
  const [text, setText] = useState('')
  const found = options.filter((option) => option.label.toLowerCase().includes(text.toLowerCase()))
  return (
    <div className={css.options}>
      {options.length > 8 && (
        <input
          data-autofocus
          className={css.optionSearch}
          aria-label={label}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && found[0] && onChange(found[0].value)}
        />
      )}
      <div className={css.optionList}>
        {found.map((option) => (
          <button
            key={option.value}
            type="button"
            className={css.option}
            aria-pressed={option.value === value}
            onClick={() => onChange(option.value)}
          >
            {option.icon} {option.label}
          </button>
        ))}
      </div>
    </div>
  )
}

function FreeValue({
  value,
  onChange,
  label,
}: {
  value: string | undefined
  onChange: (value: string | undefined) => void
  label: string
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const text = new FormData(event.currentTarget).get('value')
        onChange(typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined)
      }}
    >
      <input name="value" data-autofocus className={css.optionSearch} aria-label={label} defaultValue={value} />
    </form>
  )
}

/** Undefined for filters that take any text. */
function useOptions(name: FilterName): Option[] | undefined {
  const words = useWords()
  const catalog = useQuery({ ...catalogQuery, enabled: name === 'company' || name === 'location' })
  switch (name) {
    case 'status':
      return statusOptions(words)
    case 'company':
      return (catalog.data?.companies ?? []).map(({ id, name: label }) => ({ value: id, label }))
    case 'location':
      return (catalog.data?.companies ?? []).flatMap(({ name: company, locations }) =>
        (locations ?? []).map(({ id, name: label }) => ({ value: id, label: `${label} · ${company}` })),
      )
    case 'created':
    case 'updated':
      return DAYS.map((days) => ({ value: String(days), label: words.orders.filters.days(days) }))
    default:
      return undefined
  }
}

const statusOptions = (words: Words): Option[] =>
  ORDER_STATUSES.map((status) => ({
    value: status,
    label: words.statuses[status] ?? status,
    icon: <StatusIcon {...lookOf(status)} />,
  }))
