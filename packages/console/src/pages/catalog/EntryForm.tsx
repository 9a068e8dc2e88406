import type { CatalogFileOutput } from '@order-testing/client/operator'
import { useState } from 'react'
import { useWords } from '../../languages/words.tsx'
import { Check, SelectField, TextField } from '../../parts/Field.tsx'
import { BrandingPreview } from './BrandingPreview.tsx'
import { isActive, valueAt, withValue, type Entry, type Kind } from './entries.ts'
import { groupsOf, type FormField } from './fields.ts'
import { hoursText, parseHours } from './hours.ts'
import { IdsField } from './IdsField.tsx'
import list from '../../shell/list.module.css'
import css from './catalog.module.css'

interface Props {
  file: CatalogFileOutput
  kind: Kind
  /** As the catalog has it. */
  saved: Entry
  entry: Entry
  owner: Entry | undefined
  isReadOnly: boolean
  onChange: (entry: Entry) => void
}

/** The common edits of an entry. Changed fields carry an amber edge and say what was there. */
export function EntryForm({ file, kind, saved, entry, owner, isReadOnly, onChange }: Props) {
  const words = useWords()
  return (
    <fieldset disabled={isReadOnly} className={css.form}>
      {kind !== 'services' && (
        <label className={css.active} data-changed={isActive(saved) !== isActive(entry)}>
          <Check
            checked={isActive(entry)}
            onChange={(event) => onChange({ ...entry, isActive: event.target.checked })}
          />{' '}
          {words.catalog.active}
        </label>
      )}
      {groupsOf(kind, words).map(([title, fields]) => (
        <section key={title} className={list.section} aria-label={title}>
          <h3>{title}</h3>
          <div className={css.fields}>
            {fields.map((field) => (
              <AnyField key={field.path} {...{ file, field, saved, entry, owner, onChange }} />
            ))}
          </div>
          {title === words.catalog.groups.branding && <BrandingPreview entry={entry} />}
        </section>
      ))}
    </fieldset>
  )
}

interface FieldProps extends Pick<Props, 'file' | 'saved' | 'entry' | 'owner' | 'onChange'> {
  field: FormField
}

function AnyField(props: FieldProps) {
  const { field, file, saved, entry, onChange } = props
  if (field.type !== 'services' && field.type !== 'packages') return <EntryField {...props} />
  return (
    <IdsField
      label={field.label}
      options={file[field.type]}
      saved={idsAt(saved, field.path)}
      value={idsAt(entry, field.path)}
      onChange={(ids) => onChange({ ...entry, [field.path]: ids })}
    />
  )
}

const idsAt = (entry: Entry, path: string) => (valueAt(entry, path) ?? []) as string[]

function EntryField({ file, field, saved, entry, owner, onChange }: FieldProps) {
  const words = useWords()
  const { path, label, type } = field
  const [before, now] = [shownValue(field, saved), shownValue(field, entry)]
  const [text, setText] = useState(now)
  const [isWrong, setWrong] = useState(false)
  const change = (typed: string) => {
    setText(typed)
    const value = field.type === 'lab' ? labOf(file, typed) : parse(field, typed)
    setWrong(value === null)
    if (value !== null) onChange(withField(entry, path, value))
  }
  const inherited = path.startsWith('settings.') ? valueAt(owner, path) : undefined
  const note =
    inherited !== undefined && owner
      ? now === ''
        ? words.catalog.inherited(owner.name, textOf(inherited))
        : words.catalog.overrides(owner.name, textOf(inherited))
      : undefined
  const was = before === now ? undefined : words.catalog.was(before || words.none)
  const common = { label, note: [was, note].filter(Boolean).join(' · ') || undefined }
  return (
    <div className={css.field} data-changed={before !== now}>
      {type === 'flag' || type === 'slotLength' || type === 'lab' ? (
        <SelectField {...common} value={now} onChange={(event) => change(event.target.value)}>
          {choicesOf(field, file).map(([value, name]) => (
            <option key={value} value={value}>
              {words.catalog.choices[value] ?? name}
            </option>
          ))}
        </SelectField>
      ) : (
        <TextField
          {...common}
          inputMode={type === 'number' ? 'decimal' : undefined}
          placeholder={type === 'hours' ? words.catalog.closed : undefined}
          value={text}
          error={isWrong ? (words.catalog.wrong as Record<string, string>)[type] : undefined}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </div>
  )
}

/** What a field offers, as value and name. */
function choicesOf({ type, isRequired = false }: FormField, file: CatalogFileOutput): [value: string, name: string][] {
  const values = type === 'flag' ? ['true', 'false'] : type === 'slotLength' ? ['15', '30'] : []
  const named = type === 'lab' ? labsOf(file).map(({ id, name }): [string, string] => [id, name]) : []
  return [
    ...(isRequired ? [] : [['', ''] as [string, string]]),
    ...values.map((each): [string, string] => [each, each]),
    ...named,
  ]
}

/** The laboratories that services of the catalog name. */
const labsOf = ({ services }: CatalogFileOutput) => [
  ...new Map(services.flatMap(({ lab }) => (lab ? [[lab.id, lab] as const] : []))).values(),
]

const labOf = (file: CatalogFileOutput, id: string) => labsOf(file).find((lab) => lab.id === id)

function shownValue({ path, type }: FormField, entry: Entry): string {
  const value = valueAt(entry, type === 'lab' ? `${path}.id` : path)
  return type === 'hours' ? hoursText(value) : textOf(value)
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** The value for the file: undefined if the field is empty, null if the text cannot be read. */
function parse({ type, isRequired = false }: FormField, typed: string): unknown {
  const text = typed.trim()
  if (text === '') return isRequired ? null : undefined
  if (type === 'hours') return parseHours(text)
  if (type === 'flag') return text === 'true'
  if (type === 'color') return /^#[0-9a-f]{6}$/i.test(text) ? text : null
  if (type === 'text') return text
  return Number.isFinite(Number(text)) && Number(text) >= 0 ? Number(text) : null
}

/** Slots have a length and a capacity, or there are none. */
function withField(entry: Entry, path: string, value: unknown): Entry {
  if (!path.startsWith('slots.')) return withValue(entry, path, value)
  if (path === 'slots.minutes' && value === undefined) return withValue(entry, 'slots', undefined)
  const slots = { minutes: 30, capacity: 1, ...(entry['slots'] as object | undefined) }
  return { ...entry, slots: { ...slots, [path.slice('slots.'.length)]: value ?? 1 } }
}
