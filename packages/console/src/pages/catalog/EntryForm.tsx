import type { CatalogFileOutput } from '@order-testing/client/operator'
import { useState } from 'react'
import { useWords, type Words } from '../../languages/words.tsx'
import { Check, SelectField, TextField } from '../../parts/Field.tsx'
import { BrandingPreview } from './BrandingPreview.tsx'
import { isActive, valueAt, withValue, type Entry, type Kind } from './entries.ts'
import { groupsOf, type FormField } from './fields.ts'
import { hoursText } from './hours.ts'
import { IdsField } from './IdsField.tsx'
import { readField } from './limits.ts'
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
  /** What the service refused, by the path of the field. */
  problems: ReadonlyMap<string, string>
  onChange: (entry: Entry) => void
}

/** The common edits of an entry. Changed fields carry an amber edge and say what was there. */
export function EntryForm({ file, kind, saved, entry, owner, isReadOnly, problems, onChange }: Props) {
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
              <AnyField key={field.path} {...{ file, field, saved, entry, owner, problems, onChange }} />
            ))}
          </div>
          {title === words.catalog.groups.branding && <BrandingPreview entry={entry} />}
        </section>
      ))}
    </fieldset>
  )
}

interface FieldProps extends Pick<Props, 'file' | 'saved' | 'entry' | 'owner' | 'problems' | 'onChange'> {
  field: FormField
}

function AnyField(props: FieldProps) {
  const { field, file, saved, entry, owner, onChange } = props
  if (field.type !== 'services' && field.type !== 'packages') return <EntryField {...props} />
  const own = idsAt(entry, field.path)
  const inherited = owner && own === undefined ? { from: owner.name, ids: idsAt(owner, field.path) ?? [] } : undefined
  return (
    <IdsField
      label={field.label}
      options={file[field.type]}
      saved={idsAt(saved, field.path) ?? inherited?.ids ?? []}
      value={own ?? inherited?.ids ?? []}
      inheritedFrom={inherited?.from}
      onReset={owner && own !== undefined ? () => onChange(withValue(entry, field.path, undefined)) : undefined}
      resetTo={owner?.name}
      onChange={(ids) => onChange({ ...entry, [field.path]: ids })}
    />
  )
}

const idsAt = (entry: Entry, path: string) => valueAt(entry, path) as string[] | undefined

function EntryField({ file, field, saved, entry, owner, problems, onChange }: FieldProps) {
  const words = useWords()
  const { path, label, type } = field
  const [before, now] = [shownValue(field, saved), shownValue(field, entry)]
  const [text, setText] = useState(now)
  const [problem, setProblem] = useState<string>()
  const change = (typed: string) => {
    setText(typed)
    const read = type === 'lab' ? { value: labOf(file, typed) } : readField(field, typed, words)
    setProblem('problem' in read ? read.problem : undefined)
    if ('value' in read) onChange(withField(entry, path, read.value))
  }
  const error = problem ?? problems.get(path)
  const inherited = path.startsWith('settings.') ? valueAt(owner, path) : undefined
  const inheritedText = inherited === undefined ? '' : namedValue(field, inherited, file, words)
  const unit = path === 'settings.expiresIn' ? words.catalog.units[unitOf(entry, owner)] : undefined
  const told = [inheritedText, inheritedText && unit].filter(Boolean).join(' ')
  const note =
    inherited !== undefined && owner
      ? now === ''
        ? words.catalog.inherited(owner.name, told)
        : words.catalog.overrides(owner.name, told)
      : undefined
  const was = before === now ? undefined : words.catalog.was(before || words.none)
  const common = { label, error, note: [was, note].filter(Boolean).join(' · ') || undefined }
  return (
    <div className={css.field} data-changed={before !== now}>
      {type === 'flag' || type === 'slotLength' || type === 'lab' || type === 'clinic' ? (
        <SelectField {...common} value={now} onChange={(event) => change(event.target.value)}>
          {choicesOf(field, file, now).map(([value, name]) => (
            <option key={value} value={value}>
              {value === '' && inheritedText
                ? words.catalog.asInherited(inheritedText)
                : (words.catalog.choices[value] ?? name)}
            </option>
          ))}
        </SelectField>
      ) : (
        <TextField
          {...common}
          inputMode={type === 'number' ? 'decimal' : undefined}
          placeholder={type === 'hours' ? words.catalog.closed : inheritedText}
          end={unit}
          value={text}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </div>
  )
}

/** What a field offers, as value and name. */
function choicesOf(
  { type, isRequired = false }: FormField,
  file: CatalogFileOutput,
  chosen: string,
): [value: string, name: string][] {
  const values = type === 'flag' ? ['true', 'false'] : type === 'slotLength' ? ['15', '30'] : []
  const known =
    type === 'lab'
      ? labsOf(file)
      : type === 'clinic'
        ? file.clinics.filter((clinic) => clinic.isActive || clinic.id === chosen)
        : []
  const named = known.map(({ id, name }): [string, string] => [id, name])
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

/** The name of a clinic or choice, or the value itself. */
function namedValue({ type }: FormField, value: unknown, { clinics }: CatalogFileOutput, { catalog }: Words): string {
  const text = textOf(value)
  if (type === 'clinic') return clinics.find(({ id }) => id === text)?.name ?? text
  return type === 'flag' ? (catalog.choices[text] ?? text) : text
}

const unitOf = (entry: Entry, owner: Entry | undefined): 'days' | 'hours' =>
  (valueAt(entry, UNIT) ?? valueAt(owner, UNIT)) === 'hours' ? 'hours' : 'days'

const UNIT = 'settings.expiresInUnit'

/** Slots have a length and a capacity, or there are none. */
function withField(entry: Entry, path: string, value: unknown): Entry {
  if (!path.startsWith('slots.')) return withValue(entry, path, value)
  if (path === 'slots.minutes' && value === undefined) return withValue(entry, 'slots', undefined)
  const slots = { minutes: 30, capacity: 1, ...(entry['slots'] as object | undefined) }
  return { ...entry, slots: { ...slots, [path.slice('slots.'.length)]: value ?? 1 } }
}
