import { useQuery } from '@tanstack/react-query'
import { catalogQuery } from '../../api/catalog.ts'
import { useWords } from '../../languages/words.tsx'
import { Check, TextField } from '../../parts/Field.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { useMay } from '../../shell/session.tsx'
import { isPersonal, scopesOf, type TokenKind } from './scopes.ts'
import css from './tokens.module.css'

/** What a form holds: texts as they are typed. */
export interface Draft {
  name: string
  scopes: string[]
  companies: string[]
  /** A day, or nothing. */
  expires: string
  rateLimit: string
}

interface Props {
  draft: Draft
  kind: TokenKind
  onChange: (changes: Partial<Draft>) => void
  companiesNote?: string
  /** What the service refused about a member. */
  errorAt?: (pointer: string) => string | undefined
}

/** The members that have a field. */
export const TOKEN_POINTERS = ['/name', '/expiresAt', '/rateLimit']

/** The members of a token that can be chosen. */
export function TokenForm({ draft, kind, onChange, companiesNote, errorAt }: Props) {
  const words = useWords()
  const { tokens } = words
  return (
    <>
      <TextField
        label={tokens.name}
        note={tokens.nameNote}
        data-autofocus
        maxLength={255}
        value={draft.name}
        error={errorAt?.('/name')}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <fieldset className={css.choices}>
        <legend>{tokens.scopes}</legend>
        {scopesOf(words, kind).map((scope) => (
          <label key={scope}>
            <Check
              checked={draft.scopes.includes(scope)}
              onChange={() => onChange({ scopes: toggled(draft.scopes, scope) })}
            />
            <code>{scope}</code>
            <span>
              {tokens.scopeMeanings[scope]} {isPersonal(scope) && <Tag tone="warn">{tokens.personalData}</Tag>}
            </span>
          </label>
        ))}
      </fieldset>
      {kind === 'integrator' && (
        <CompanyChoice
          chosen={draft.companies}
          note={companiesNote}
          onChange={(companies) => onChange({ companies })}
        />
      )}
      <div className={css.pair}>
        <TextField
          label={tokens.expires}
          note={tokens.expiresNote}
          type="date"
          value={draft.expires}
          error={errorAt?.('/expiresAt')}
          onChange={(event) => onChange({ expires: event.target.value })}
        />
        <TextField
          label={tokens.rateLimit}
          type="number"
          min={0}
          placeholder={tokens.defaultLimit}
          value={draft.rateLimit}
          error={errorAt?.('/rateLimit')}
          onChange={(event) => onChange({ rateLimit: event.target.value })}
        />
      </div>
    </>
  )
}

function CompanyChoice({
  chosen,
  note,
  onChange,
}: {
  chosen: string[]
  note: string | undefined
  onChange: (companies: string[]) => void
}) {
  const { tokens } = useWords()
  const mayRead = useMay('operator.catalog.read')
  const catalog = useQuery({ ...catalogQuery, enabled: mayRead })
  const known = catalog.data?.companies?.map(({ id, name }) => ({ id, name })) ?? []
  const unknown = chosen.filter((id) => !known.some((each) => each.id === id)).map((id) => ({ id, name: id }))
  return (
    <fieldset className={css.choices}>
      <legend>{tokens.companies}</legend>
      {note !== undefined && <p>{note}</p>}
      {[...known, ...unknown].map(({ id, name }) => (
        <label key={id}>
          <Check checked={chosen.includes(id)} onChange={() => onChange(toggled(chosen, id))} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}

const toggled = (values: readonly string[], value: string) =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value]

/** The end of a day in the zone of the browser. */
export const endOfDay = (day: string) => new Date(`${day}T23:59:59`).toISOString()

/** The day of a time in the zone of the browser, as a date field has it. */
export function dayOf(time: string | null): string {
  if (time === null) return ''
  const at = new Date(time)
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
