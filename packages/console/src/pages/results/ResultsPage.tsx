import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Result } from '@order-testing/client/operator'
import { resultQuery, resultsQuery, type ResultState } from '../../api/results.ts'
import { useWords } from '../../languages/words.tsx'
import { Choice } from '../../parts/Field.tsx'
import { Bone, Empty, Failure, SlowNotice } from '../../parts/States.tsx'
import { Tag } from '../../parts/Tag.tsx'
import * as times from '../../parts/times.ts'
import { ReadOn } from '../../shell/ListTable.tsx'
import { useRows } from '../../shell/rows.ts'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import { Candidates } from './Candidates.tsx'
import { CodeMaps } from './CodeMaps.tsx'
import { ReportView } from './ReportView.tsx'
import css from './results.module.css'

const STATES = ['queued', 'applied', 'dismissed'] as const
const isState = (text: string | undefined): text is (typeof STATES)[number] => STATES.some((state) => state === text)

/** What laboratories and others sent: the list, the report, and the orders it may be about. */
export default function ResultsPage() {
  const words = useWords()
  usePageTitle(words.results.title)
  const search = useSearch({ from: '/signedIn/results' })
  const navigate = useNavigate({ from: '/results' })
  const state: ResultState = isState(search.state) ? search.state : 'queued'
  const results = useInfiniteQuery(resultsQuery(state))
  const waiting = useInfiniteQuery(resultsQuery('queued')).data?.pages[0]?.total
  const rows = unique(results.data?.pages.flatMap(({ data }) => data) ?? [])
  const chosen = search.report
  const open = (report: string | undefined) =>
    void navigate({
      search: { ...(state !== 'queued' && { state }), ...(report !== undefined && { report }) },
      replace: true,
    })
  return (
    <>
      <TopBar title={words.results.title} detail={waiting === undefined ? undefined : words.results.need(waiting)}>
        <Choice
          look="segments"
          label={words.results.list}
          value={state}
          onChange={(next) => void navigate({ search: next === 'queued' ? {} : { state: next } })}
          options={STATES.map((each) => ({
            value: each,
            label: words.results.states[each],
            count: each === 'queued' ? waiting : undefined,
          }))}
        />
        <CodeMaps />
      </TopBar>
      <div className={css.split} data-open={chosen !== undefined}>
        <ReportList rows={rows} query={results} chosen={chosen} onOpen={open} />
        {chosen !== undefined ? (
          <Opened key={chosen} id={chosen} onClose={() => open(undefined)} />
        ) : (
          <div className={css.none}>
            {!results.isLoading && rows.length === 0 ? (
              <Empty title={words.results.empty} detail={words.results.emptyDetail} />
            ) : (
              <p>{words.results.choose}</p>
            )}
          </div>
        )}
      </div>
    </>
  )
}

/** Reports that arrive meanwhile push others onto the next page, where they appear a second time. */
const unique = (rows: Result[]) => [...new Map(rows.map((row) => [row.id, row])).values()]

interface ListProps {
  rows: Result[]
  query: {
    isLoading: boolean
    error: unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
  }
  chosen: string | undefined
  onOpen: (id: string | undefined) => void
}

function ReportList({ rows, query, chosen, onOpen }: ListProps) {
  const words = useWords()
  const { at } = useRows({ rows, opened: chosen, idOf: ({ id }) => id, onOpen })
  return (
    <nav className={css.list} aria-label={words.results.list}>
      {query.error !== null && rows.length === 0 && <Failure error={query.error} />}
      {query.isLoading && <ListBones />}
      {rows.map((row, index) => (
        <button
          key={row.id}
          ref={index === at ? showRow : undefined}
          type="button"
          className={css.row}
          aria-current={row.id === chosen}
          data-at={index === at}
          onClick={() => onOpen(row.id)}
        >
          <span className={css.rowHead}>
            <b>{words.statuses[row.event] ?? words.order.result}</b>
            <span>{times.duration(words, Date.now() - Date.parse(row.receivedAt))}</span>
          </span>
          <span className={css.rowSender} title={row.sender.id}>
            {row.sender.name ?? row.sender.id}
          </span>
          {row.why !== null && (
            <Tag tone={row.why === 'noMatch' ? 'bad' : 'warn'}>{words.results.short[row.why] ?? row.why}</Tag>
          )}
        </button>
      ))}
      {query.hasNextPage && <ReadOn isBusy={query.isFetchingNextPage} onSeen={() => void query.fetchNextPage()} />}
      <p className={css.kept}>{words.results.kept}</p>
    </nav>
  )
}

/** Keys lead the list to rows that are out of sight, and so to the next page. */
const showRow = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'nearest' })

const ListBones = () => (
  <>
    {Array.from({ length: 6 }, (_, index) => (
      <div key={index} className={css.row}>
        <Bone width={100} />
        <Bone width={140} />
      </div>
    ))}
    <SlowNotice />
  </>
)

function Opened({ id, onClose }: { id: string; onClose: () => void }) {
  const result = useQuery(resultQuery(id))
  if (result.error) return <Failure error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <SlowNotice />
  return (
    <>
      <ReportView result={result.data} onClose={onClose} />
      {result.data.state === 'queued' && <Candidates result={result.data} />}
    </>
  )
}
