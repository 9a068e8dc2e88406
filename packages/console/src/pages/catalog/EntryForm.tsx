import { useState } from 'react'
import { useWords } from '../../languages/words.tsx'
import { Check, SelectField, TextField } from '../../parts/Field.tsx'
import { BrandingPreview } from './BrandingPreview.tsx'
import { isActive, valueAt, withValue, type Entry, type Kind } from './entries.ts'
import { groupsOf, type FormField } from './fields.ts'
import { hoursText, parseHours } from './hours.ts'
import list from '../../shell/list.module.css'
import css from './catalog.module.css'

interface Props {
  kind: Kind
  /** As the catalog has it. */
  saved: Entry
  entry: Entry
  owner: Entry | undefined
  isReadOnly: boolean
  onChange: (entry: Entry) => void
}

/** The common edits of an entry. Changed fields carry an amber edge and say what was there. */
export function EntryForm({ kind, saved, entry, owner, isReadOnly, onChange }: Props) {
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
              <EntryField key={field.path} {...{ field, saved, entry, owner, onChange }} />
            ))}
          </div>
          {title === words.catalog.groups.branding && <BrandingPreview entry={entry} />}
        </section>
      ))}
    </fieldset>
  )
}

interface FieldProps extends Pick<Props, 'saved' | 'entry' | 'owner' | 'onChange'> {
  field: FormField
}

function EntryField({ field, saved, entry, owner, onChange }: FieldProps) {
  const words = useWords()
  const { path, label, type } = field
  const [before, now] = [shownValue(field, saved), shownValue(field, entry)]
  const [text, setText] = useState(now)
  const [isWrong, setWrong] = useState(false)
  const change = (typed: string) => {
    setText(typed)
    const value = parse(field, typed)
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
  const common = { label, note: before === now ? note : words.catalog.was(before || words.none) }
  return (
    <div className={css.field} data-changed={before !== now}>
      {type === 'flag' || type === 'slotLength' ? (
        <SelectField {...common} value={now} onChange={(event) => change(event.target.value)}>
          {(type === 'flag' ? ['', 'true', 'false'] : ['', '15', '30']).map((each) => (
            <option key={each} value={each}>
              {words.catalog.choices[each] ?? each}
            </option>
          ))}
        </SelectField>
      ) : (
        <TextField
          {...common}
          inputMode={type === 'number' ? 'decimal' : undefined}
          placeholder={type === 'hours' ? words.catalog.closed : undefined}
          value={text}
          error={isWrong ? words.catalog.wrong[type] : undefined}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </div>
  )
}

function shownValue({ path, type }: FormField, entry: Entry): string {
  const value = valueAt(entry, path)
  return type === 'hours' ? hoursText(value) : textOf(value)
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** The value for the file: undefined if the field is empty, null if the text cannot be read. */
function parse({ type, path }: FormField, typed: string): unknown {
  const text = typed.trim()
  if (text === '') return path === 'name' ? null : undefined
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
