import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useId, useRef } from 'react'
import { actorsQuery, type AuditFilters } from '../../api/audit.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import * as times from '../../parts/times.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'
import list from '../../shell/list.module.css'
import css from './audit.module.css'

const NAMES = ['action', 'on', 'by', 'from', 'to'] as const
type Filtered = { [name in (typeof NAMES)[number]]?: string }

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && Number.isFinite(Date.parse(`${text}T00:00Z`))

/** The filters of the address. Days are those of this browser's zone, the last one included. */
export function filtersOf({ action, on, by, from, to }: Filtered): AuditFilters {
  return {
    ...(action !== undefined && { action }),
    ...(on !== undefined && { subjectId: on }),
    ...(by !== undefined && { tokenId: by }),
    ...(from !== undefined && isDay(from) && { from: times.toInstant(`${from}T00:00`) }),
    ...(to !== undefined && isDay(to) && { to: times.toInstant(`${dayAfter(to)}T00:00`) }),
  }
}

function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

export function Filters() {
  const words = useWords()
  const { audit } = words
  const search = useSearch({ from: '/signedIn/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const first = useRef<HTMLInputElement>(null)
  useShortcut('/', () => first.current?.focus())
  const actors = useActors()
  return (
    <form
      className={`${list.bar} ${css.filters}`}
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        const given = NAMES.map((name) => [name, textOf(data.get(name))])
        const filters = Object.fromEntries(given) as Filtered
        const by = actors.find(({ name }) => name === filters.by)?.id ?? filters.by
        void navigate({ search: { ...filters, by } as typeof search })
      }}
    >
      <input
        ref={first}
        name="action"
        className={css.field}
        aria-label={audit.filterAction}
        placeholder={audit.filterAction}
        defaultValue={search.action}
      />
      <input
        name="on"
        className={css.field}
        aria-label={audit.filterSubject}
        placeholder={audit.filterSubject}
        defaultValue={search.on}
      />
      <WhoField by={search.by} actors={actors} />
      {(['from', 'to'] as const).map((name) => (
        <input
          key={name}
          name={name}
          type="date"
          className={css.date}
          aria-label={audit[name]}
          title={audit[name]}
          defaultValue={search[name]}
        />
      ))}
      <Button type="submit">{words.actions.search}</Button>
      {NAMES.some((name) => search[name] !== undefined) && (
        <Button look="bare" onClick={() => void navigate({ search: {} })}>
          {words.actions.clear}
        </Button>
      )}
    </form>
  )
}

interface Actor {
  id: string
  name: string
}

/** Suggests names; any id can be entered. */
function WhoField({ by, actors }: { by: string | undefined; actors: readonly Actor[] }) {
  const { audit } = useWords()
  const suggestions = useId()
  const shown = actors.find(({ id }) => id === by)?.name ?? by
  return (
    <>
      <input
        // The name is known once the people were read.
        key={shown}
        name="by"
        className={css.field}
        aria-label={audit.filterWho}
        placeholder={audit.filterWho}
        defaultValue={shown}
        list={suggestions}
      />
      <datalist id={suggestions}>
        {actors.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </>
  )
}

/** Those that the role may see by name, and those that are in every log. */
function useActors(): readonly Actor[] {
  const { audit } = useWords()
  const people = useMay('operator.users.read')
  const tokens = useMay('operator.tokens.read')
  const found = useQuery({ ...actorsQuery({ people, tokens }), enabled: people || tokens })
  const visitors = ['participant', 'requester', 'local'].map((id) => ({ id, name: audit.actors[id] ?? id }))
  return [...(found.data ?? []), ...visitors]
}

const textOf = (value: FormDataEntryValue | null) => (typeof value === 'string' ? value.trim() || undefined : undefined)
