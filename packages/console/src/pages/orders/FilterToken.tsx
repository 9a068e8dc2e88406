import { Popover } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { catalogQuery } from '../../api/catalog.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Check } from '../../parts/Field.tsx'
import { StatusIcon } from '../../parts/StatusMark.tsx'
import { LOOKS, lookOf } from '../../parts/statuses.ts'
import type { Choice, FilterName } from './search.ts'
import css from './orders.module.css'

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

interface TokenProps {
  name: FilterName
  choice: Choice
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onChange: (choice: Choice) => void
}

/** A filter in three parts: what, how, and which. Of statuses several can be chosen, and left out instead. */
export function FilterToken({ name, choice, isOpen, onOpen, onChange }: TokenProps) {
  const words = useWords()
  const options = useOptions(name)
  const label = words.orders.filters[name]
  const { values, isNot } = choice
  const shown = values.map((value) => options?.find((option) => option.value === value)?.label ?? value).join(', ')
  const pick = (value: string | undefined) => {
    onOpen(false)
    onChange({ values: value === undefined ? [] : [value], isNot })
  }
  return (
    <span className={css.token} data-filter={name}>
      <span>{label}</span>
      <Relation {...{ name, choice, label }} onChange={onChange} />
      <Popover opened={isOpen} onChange={onOpen} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <button
            type="button"
            className={css.tokenValue}
            onClick={() => onOpen(!isOpen)}
            aria-label={`${label}: ${shown || '…'}`}
          >
            {shown || '…'}
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          {options ? (
            <Options
              {...{ options, values, label }}
              onPick={pick}
              onToggle={name === 'status' ? (value) => onChange({ values: toggled(values, value), isNot }) : undefined}
            />
          ) : (
            <FreeValue value={values[0]} onChange={pick} label={label} />
          )}
        </Popover.Dropdown>
      </Popover>
      <button
        type="button"
        className={css.tokenRemove}
        aria-label={words.actions.remove(label)}
        onClick={() => onChange({ values: [], isNot: false })}
      >
        <IconX size={13} />
      </button>
    </span>
  )
}

const toggled = (values: readonly string[], value: string) =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value]

interface RelationProps extends Pick<TokenProps, 'name' | 'choice' | 'onChange'> {
  label: string
}

/** How the value is meant. Pressed, it turns into its opposite. */
function Relation({ name, choice: { values, isNot }, label, onChange }: RelationProps) {
  const { filters } = useWords().orders
  if (name === 'created' || name === 'updated') return <span>{filters.in}</span>
  if (name !== 'status') return <span>{filters.is}</span>
  const [one, several] = isNot ? [filters.isNot, filters.noneOf] : [filters.is, filters.anyOf]
  const text = values.length > 1 ? several : one
  return (
    <button
      type="button"
      className={css.tokenRelation}
      aria-label={`${label}: ${text}`}
      title={filters.turn}
      onClick={() => onChange({ values, isNot: !isNot })}
    >
      {text}
    </button>
  )
}

interface Option {
  value: string
  label: string
  icon?: React.ReactNode
}

interface OptionsProps {
  options: Option[]
  values: readonly string[]
  label: string
  /** Chooses this one alone. */
  onPick: (value: string) => void
  /** Chooses this one as well, or no longer. */
  onToggle: ((value: string) => void) | undefined
}

function Options({ options, values, label, onPick, onToggle }: OptionsProps) {
  const { filters } = useWords().orders
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
          onKeyDown={(event) => event.key === 'Enter' && found[0] && onPick(found[0].value)}
        />
      )}
      <div className={css.optionList}>
        {found.map((option) => (
          <div key={option.value} className={css.optionLine}>
            <button
              type="button"
              className={css.option}
              aria-pressed={values.includes(option.value)}
              onClick={() => onPick(option.value)}
            >
              {option.icon} {option.label}
            </button>
            {onToggle && (
              <Check
                aria-label={filters.also(option.label)}
                title={filters.also(option.label)}
                checked={values.includes(option.value)}
                onChange={() => onToggle(option.value)}
              />
            )}
          </div>
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
