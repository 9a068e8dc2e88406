import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { RefusedMessage, Result } from '@order-testing/client/operator'
import { refusedMessagesQuery, resultQuery, resultsQuery } from '../../api/results.ts'
import { useWords } from '../../languages/words.tsx'
import { Choice } from '../../parts/Field.tsx'
import { Bone, Empty, Failure, SlowNotice } from '../../parts/States.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { titleOfReport } from '../../parts/report-title.ts'
import * as times from '../../parts/times.ts'
import { Allowed } from '../../shell/Allowed.tsx'
import { ReadOn } from '../../shell/ListTable.tsx'
import { useRows } from '../../shell/rows.ts'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import { Candidates } from './Candidates.tsx'
import { CodeMaps } from './CodeMaps.tsx'
import { OpenedRefused } from './RefusedView.tsx'
import { ReportView } from './ReportView.tsx'
import css from './results.module.css'

const STATES = ['queued', 'applied', 'dismissed', 'refused'] as const
const isState = (text: string | undefined): text is (typeof STATES)[number] => STATES.some((state) => state === text)

/** What laboratories and others sent: the list, the report, and the orders it may be about. */
export default function ResultsPage() {
  const words = useWords()
  return (
    <Allowed title={words.results.title} scope="operator.results.read">
      <Reports />
    </Allowed>
  )
}

function Reports() {
  const words = useWords()
  usePageTitle(words.results.title)
  const search = useSearch({ from: '/signedIn/results' })
  const navigate = useNavigate({ from: '/results' })
  const state = isState(search.state) ? search.state : 'queued'
  const isRefused = state === 'refused'
  const results = useInfiniteQuery(resultsQuery(isRefused ? 'queued' : state))
  const refused = useInfiniteQuery({ ...refusedMessagesQuery, enabled: isRefused })
  const waiting = useInfiniteQuery(resultsQuery('queued')).data?.pages[0]?.total
  const query = isRefused ? refused : results
  const rows: Listed[] = isRefused
    ? unique(refused.data?.pages.flatMap(({ data }) => data) ?? [])
    : unique(results.data?.pages.flatMap(({ data }) => data) ?? [])
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
        <ReportList rows={rows} query={query} chosen={chosen} onOpen={open} />
        {chosen !== undefined ? (
          <Either key={chosen} isRefused={isRefused} id={chosen} onClose={() => open(undefined)} />
        ) : (
          <div className={css.none}>
            {!query.isLoading && rows.length === 0 ? (
              isRefused ? (
                <Empty title={words.results.refused.empty} detail={words.results.refused.emptyDetail} />
              ) : (
                <Empty title={words.results.empty} detail={words.results.emptyDetail} />
              )
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
const unique = <Row extends { id: string }>(rows: Row[]) => [...new Map(rows.map((row) => [row.id, row])).values()]

type Listed = Result | RefusedMessage

interface ListProps {
  rows: Listed[]
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
          {row.object === 'result' ? <ReportRow report={row} /> : <RefusedRow message={row} />}
        </button>
      ))}
      {query.hasNextPage && <ReadOn isBusy={query.isFetchingNextPage} onSeen={() => void query.fetchNextPage()} />}
      <p className={css.kept}>{words.results.kept}</p>
    </nav>
  )
}

function ReportRow({ report }: { report: Result }) {
  const words = useWords()
  const { sender, why } = report
  const event = words.statuses[report.event] ?? words.order.result
  return (
    <>
      <RowHead title={titleOfReport(report, words)} at={report.receivedAt} />
      <span className={css.rowSender} title={sender.id}>
        {`${event} · ${sender.name ?? sender.id}`}
      </span>
      {why !== null && <Tag tone={why === 'noMatch' ? 'bad' : 'warn'}>{words.results.short[why] ?? why}</Tag>}
    </>
  )
}

function RefusedRow({ message }: { message: RefusedMessage }) {
  const words = useWords()
  const { sender, reason, count, lastAt } = message
  return (
    <>
      <RowHead title={sender || words.results.refused.nobody} at={lastAt} />
      <span className={css.rowSender} title={reason}>
        {reason}
      </span>
      {count > 1 && <Tag tone="neutral">{words.results.refused.count(count)}</Tag>}
    </>
  )
}

function RowHead({ title, at }: { title: string; at: string }) {
  const words = useWords()
  return (
    <span className={css.rowHead}>
      <b title={title}>{title}</b>
      <span>{times.duration(words, Date.now() - Date.parse(at))}</span>
    </span>
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

interface OpenedProps {
  id: string
  onClose: () => void
}

const Either = ({ isRefused, ...props }: OpenedProps & { isRefused: boolean }) =>
  isRefused ? <OpenedRefused {...props} /> : <Opened {...props} />

function Opened({ id, onClose }: OpenedProps) {
  const result = useQuery(resultQuery(id))
  if (result.error && !result.data) return <Failure error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <SlowNotice />
  return (
    <>
      <ReportView result={result.data} onClose={onClose} />
      {result.data.state === 'queued' && <Candidates result={result.data} />}
    </>
  )
}
