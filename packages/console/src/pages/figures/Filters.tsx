import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { catalogQuery } from '../../api/catalog.ts'
import { useWords } from '../../languages/words.tsx'
import { Select } from '../../parts/Select.tsx'
import { useMay } from '../../shell/session.tsx'
import { periodOf, PRESETS, type Period } from './period.ts'
import list from '../../shell/list.module.css'
import css from './figures.module.css'

type Changes = Partial<Record<'days' | 'from' | 'to' | 'company' | 'dot', string | undefined>>

/** Period, company and regulation; all of them are in the address. */
export function Filters() {
  const { figures } = useWords()
  const search = useSearch({ from: '/signedIn/figures' })
  const navigate = useNavigate({ from: '/figures' })
  const change = (changes: Changes) => void navigate({ search: (now) => ({ ...now, ...changes }) as typeof now })
  const period = periodOf(search, new Date())
  const isChosen = search.from !== undefined && search.to !== undefined
  const days = search.days ?? '14'
  const presets = PRESETS.map((count) => ({ value: String(count), label: figures.lastDays(count) }))
  const known = presets.some(({ value }) => value === days)
    ? presets
    : [{ value: days, label: figures.lastDays(Number(days)) }, ...presets]
  return (
    <div className={list.bar}>
      <Select
        isBare
        label={figures.period}
        options={[...known, { value: 'chosen', label: figures.chosenDays }]}
        value={isChosen ? 'chosen' : days}
        onChange={(value) =>
          change(value === 'chosen' ? { days: undefined, ...period } : { days: value, from: undefined, to: undefined })
        }
      />
      {isChosen && <Days period={period} onChange={change} />}
      <CompanyFilter company={search.company} onChange={(company) => change({ company })} />
      <Select
        isBare
        label={figures.regulation}
        options={(['all', 'true', 'false'] as const).map((value) => ({ value, label: figures.dot[value] }))}
        value={search.dot === 'true' || search.dot === 'false' ? search.dot : 'all'}
        onChange={(value) => change({ dot: value === 'all' ? undefined : value })}
      />
    </div>
  )
}

function Days({ period, onChange }: { period: Period; onChange: (changes: Changes) => void }) {
  const { figures } = useWords()
  return (['from', 'to'] as const).map((name) => (
    <input
      // Keeps the other field as it is: the focus may be in it.
      key={`${name}-${period[name]}`}
      type="date"
      className={css.date}
      aria-label={figures[name]}
      defaultValue={period[name]}
      {...(name === 'from' ? { max: period.to } : { min: period.from })}
      onBlur={({ target }) => {
        if (target.value !== '' && target.value !== period[name] && target.validity.valid)
          onChange({ ...period, [name]: target.value })
      }}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
    />
  ))
}

function CompanyFilter({
  company,
  onChange,
}: {
  company: string | undefined
  onChange: (company: string | undefined) => void
}) {
  const { figures } = useWords()
  const mayRead = useMay('operator.catalog.read')
  const catalog = useQuery({ ...catalogQuery, enabled: mayRead })
  const companies = catalog.data?.companies?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  if (company !== undefined && !companies.some(({ value }) => value === company))
    companies.push({ value: company, label: company })
  return (
    <Select
      isBare
      label={figures.company}
      options={[{ value: '', label: figures.allCompanies }, ...companies]}
      value={company ?? ''}
      onChange={(value) => onChange(value || undefined)}
    />
  )
}
