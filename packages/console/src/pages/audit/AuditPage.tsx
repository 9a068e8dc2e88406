import { IconShieldCheck, IconX } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { AuditEntry } from '@order-testing/client/operator'
import { useRef } from 'react'
import { auditHeadQuery, auditQuery } from '../../api/audit.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Time } from '../../parts/Time.tsx'
import * as times from '../../parts/times.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { ListTable, SidePanel, type Column } from '../../shell/ListTable.tsx'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import list from '../../shell/list.module.css'
import css from './audit.module.css'

export default function AuditPage() {
  const words = useWords()
  usePageTitle(words.audit.title)
  const search = useSearch({ from: '/signedIn/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const { action, on, by, entry: opened } = search
  const query = useInfiniteQuery(
    auditQuery({
      ...(action !== undefined && { action }),
      ...(on !== undefined && { subjectId: on }),
      ...(by !== undefined && { tokenId: by }),
    }),
  )
  const open = (entry: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, entry }) as typeof now, replace: true })
  const entry = query.data?.pages.flatMap(({ data }) => data).find(({ id }) => id === opened)
  const total = query.data?.pages[0]?.total.toLocaleString(words.locale)
  return (
    <>
      <TopBar title={words.audit.title} detail={total === undefined ? undefined : words.audit.entries(total)} />
      <ChainLine />
      <div className={list.split}>
        <section className={list.list}>
          <Filters key={`${action}-${on}-${by}`} />
          <ListTable
            label={words.audit.title}
            query={query}
            columns={columnsOf(words)}
            idOf={({ id }) => id}
            opened={opened}
            onOpen={open}
            empty={{ title: words.audit.empty, detail: words.audit.emptyDetail }}
          />
        </section>
        {entry && <EntryPanel entry={entry} onClose={() => open(undefined)} />}
      </div>
    </>
  )
}

/** The head of the hash chain: keep it elsewhere, and any later change of the log can be proved. */
function ChainLine() {
  const words = useWords()
  const head = useQuery(auditHeadQuery)
  if (!head.data) return <div className={list.banner} data-tone="neutral" />
  const { seq, hash, linkedAt } = head.data
  return (
    <div className={list.banner} data-tone="good">
      <IconShieldCheck size={16} />
      <b>{words.audit.chain(seq.toLocaleString(words.locale))}</b>
      <span className={css.linked}>
        {linkedAt !== null && words.audit.linked(times.moment(words, new Date(linkedAt)))}
      </span>
      <code className={css.hash}>{`${hash.slice(0, 8)}…${hash.slice(-8)}`}</code>
    </div>
  )
}

function Filters() {
  const words = useWords()
  const search = useSearch({ from: '/signedIn/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const first = useRef<HTMLInputElement>(null)
  useShortcut('/', () => first.current?.focus())
  const hasFilters = search.action !== undefined || search.on !== undefined || search.by !== undefined
  return (
    <form
      className={list.bar}
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        const text = (name: string) => {
          const value = data.get(name)
          return typeof value === 'string' ? value.trim() || undefined : undefined
        }
        void navigate({ search: { action: text('action'), on: text('on'), by: search.by } as typeof search })
      }}
    >
      <input
        ref={first}
        name="action"
        className={css.field}
        aria-label={words.audit.filterAction}
        placeholder={words.audit.filterAction}
        defaultValue={search.action}
      />
      <input
        name="on"
        className={css.field}
        aria-label={words.audit.filterSubject}
        placeholder={words.audit.filterSubject}
        defaultValue={search.on}
      />
      <Button type="submit">{words.actions.search}</Button>
      {hasFilters && (
        <Button look="bare" onClick={() => void navigate({ search: {} })}>
          {words.actions.clear}
        </Button>
      )}
    </form>
  )
}

const whoOf = ({ actor, tokenId }: AuditEntry, { audit }: Words) =>
  actor.type === 'token' ? tokenId : (actor.user ?? audit.actors[actor.type] ?? actor.type)

function columnsOf(words: Words): Column<AuditEntry>[] {
  const { audit } = words
  return [
    { label: `${audit.time}, ${times.zoneName(words)}`, width: '120px', cell: ({ at }) => <WhenCell at={at} /> },
    { label: audit.who, width: 'minmax(0, 1fr)', isExtra: true, cell: (entry) => whoOf(entry, words) },
    { label: audit.action, width: 'minmax(0, 1fr)', cell: ({ action }) => <code>{action}</code> },
    {
      label: audit.on,
      width: 'minmax(0, 1.4fr)',
      isExtra: true,
      cell: ({ subject }) => <code className={list.quiet}>{subject.id}</code>,
    },
    { label: audit.detail, width: 'minmax(0, 1fr)', isExtra: 'wide', cell: ({ reason }) => reason ?? '' },
  ]
}

const WhenCell = ({ at }: { at: string }) => {
  const words = useWords()
  const date = new Date(at)
  return times.isSameDay(date, new Date()) ? (
    <Time at={at} as="exactClock" />
  ) : (
    <>{`${times.day(words, date)}, ${times.clock(words, date)}`}</>
  )
}

function EntryPanel({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const words = useWords()
  const { audit } = words
  const { subject } = entry
  return (
    <SidePanel
      label={audit.entry}
      head={
        <>
          <h2>{audit.entry}</h2>
          <span className={list.space} />
          <IconButton label={words.actions.close} onClick={onClose}>
            <IconX size={16} />
          </IconButton>
          <p>
            <code>{entry.action}</code>
          </p>
        </>
      }
      foot={
        <>
          <Link to="/audit" search={{ by: entry.tokenId }} className={css.link}>
            {audit.allBy}
          </Link>
          <Link to="/audit" search={{ on: subject.id }} className={css.link}>
            {audit.allOn}
          </Link>
        </>
      }
    >
      <section className={list.section}>
        <dl className={list.pairs}>
          <dt>{audit.who}</dt>
          <dd>{whoOf(entry, words)}</dd>
          <dt>{audit.time}</dt>
          <dd>
            {times.moment(words, new Date(entry.at))}
            <br />
            <code className={list.quiet}>{times.inUtc(new Date(entry.at))}</code>
          </dd>
          <dt>{audit.on}</dt>
          <dd>
            {subject.type === 'order' ? (
              <Link to="/orders/$code" params={{ code: subject.id }}>
                <code>{subject.id}</code>
              </Link>
            ) : (
              <code>{subject.id}</code>
            )}
          </dd>
          <dt>{audit.detail}</dt>
          <dd>{entry.reason ?? words.none}</dd>
        </dl>
      </section>
      {entry.before === null && entry.after === null ? (
        <section className={list.section}>
          <p className={list.quiet}>{audit.unchanged}</p>
        </section>
      ) : (
        (
          [
            ['before', entry.before],
            ['after', entry.after],
          ] as const
        ).map(([name, value]) => (
          <section key={name} className={list.section}>
            <h3>{audit[name]}</h3>
            <pre className={list.code}>{JSON.stringify(value, null, 2)}</pre>
          </section>
        ))
      )}
    </SidePanel>
  )
}
