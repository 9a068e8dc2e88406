import { IconArrowsDiff, IconEqual, IconMinus, IconSearch, IconZoomQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FullResult } from '@order-testing/client/operator'
import { useRef, useState, type RefObject } from 'react'
import { foundQuery, proposedQuery, type Candidate, type Comparison } from '../../api/candidates.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Keys } from '../../parts/Keys.tsx'
import { Empty, Failure, SlowNotice } from '../../parts/States.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'
import { AssignDialog } from './AssignDialog.tsx'
import css from './results.module.css'

/** As many as there are keys for. */
const WITH_KEYS = 3

/** The services that a report may be about: those that the service proposes, or those of an order that was looked for. */
export function Candidates({ result }: { result: FullResult }) {
  const words = useWords()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const proposed = useQuery(proposedQuery(result))
  const found = useQuery(foundQuery(result, text))
  const shown = text === '' ? proposed : found
  const [chosen, setChosen] = useState<Candidate>()
  const mayWrite = useMay('operator.results.write')
  return (
    <section className={css.candidates} aria-label={words.results.candidates}>
      <header>
        <h2>{words.results.candidates}</h2>
        <FindOrder field={field} text={text} onFind={setText} />
      </header>
      {shown.isLoading && <SlowNotice />}
      {shown.error && !shown.data && <Failure error={shown.error} onRetry={() => void shown.refetch()} />}
      {shown.data?.map((candidate, index) => (
        <CandidateCard
          key={candidate.serviceId}
          candidate={candidate}
          rank={index + 1}
          onAssign={mayWrite && chosen === undefined ? () => setChosen(candidate) : undefined}
        />
      ))}
      {shown.data?.length === 0 && <NoCandidate isSearch={text !== ''} onSearch={() => field.current?.select()} />}
      {chosen && <AssignDialog result={result} candidate={chosen} onClose={() => setChosen(undefined)} />}
    </section>
  )
}

/** Says that nothing was found, and how to go on. */
function NoCandidate({ isSearch, onSearch }: { isSearch: boolean; onSearch: () => void }) {
  const { results } = useWords()
  return (
    <Empty
      icon={<IconZoomQuestion size={28} stroke={1.75} />}
      tone="neutral"
      title={isSearch ? results.noOrder : results.noCandidates}
      detail={isSearch ? results.noOrderDetail : results.noCandidatesDetail}
    >
      <Button size="form" icon={<IconSearch size={15} />} keys="/" onClick={onSearch}>
        {results.findByCode}
      </Button>
    </Empty>
  )
}

interface FindProps {
  field: RefObject<HTMLInputElement | null>
  text: string
  onFind: (text: string) => void
}

function FindOrder({ field, text, onFind }: FindProps) {
  const words = useWords()
  useShortcut('/', () => field.current?.focus())
  return (
    <form
      className={css.find}
      onSubmit={(event) => {
        event.preventDefault()
        onFind(field.current?.value.trim() ?? '')
        field.current?.blur()
      }}
    >
      <IconSearch size={15} />
      <input
        key={text}
        ref={field}
        aria-label={words.results.findOrder}
        placeholder={words.results.findOrder}
        defaultValue={text}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <Keys keys="/" />
    </form>
  )
}

interface CardProps {
  candidate: Candidate
  rank: number
  onAssign: (() => void) | undefined
}

/** The first is shown with all that was compared, the others with what differs. */
function CandidateCard({ candidate: { order, serviceId, score, comparison }, rank, onAssign }: CardProps) {
  const words = useWords()
  const key = rank <= WITH_KEYS ? String(rank) : undefined
  const service = order.services.find(({ id }) => id === serviceId)
  const isFirst = rank === 1
  return (
    <article className={css.candidate} data-first={isFirst} aria-label={`${order.code} ${service?.name}`}>
      <header>
        <code>{order.code}</code> <StatusMark status={service?.status ?? order.status} />
        {score !== null && (
          <span className={css.score} title={words.results.scoreNote}>
            <b>{score}</b>
            <meter min={0} max={100} value={score} aria-label={words.results.score} />
          </span>
        )}
        <p>{[service?.name, order.participant?.name, order.company?.name].filter(Boolean).join(' · ')}</p>
      </header>
      {isFirst ? (
        comparison.length > 0 && <ComparisonTable lines={comparison} />
      ) : (
        <p className={css.differences}>
          {comparison
            .filter(({ verdict }) => verdict === 'differs')
            .map((line) => (
              <span key={line.field} data-tone="bad">
                <IconArrowsDiff size={14} /> {words.results.compared[line.field]} {words.results.differs.toLowerCase()}
              </span>
            ))}
        </p>
      )}
      <div className={css.buttons}>
        {onAssign && <AssignButton {...{ onAssign, isFirst }} keys={key} label={words.results.assignTo(order.code)} />}
        <Link to="/orders/$code" params={{ code: order.code }}>
          {words.orders.openPage}
        </Link>
      </div>
    </article>
  )
}

interface ButtonProps {
  label: string
  keys: string | undefined
  isFirst: boolean
  onAssign: () => void
}

function AssignButton({ label, keys, isFirst, onAssign }: ButtonProps) {
  useShortcut(keys ?? '', onAssign, keys !== undefined)
  return (
    <Button size="form" look={isFirst ? 'filled' : 'plain'} {...(keys !== undefined && { keys })} onClick={onAssign}>
      {label}
    </Button>
  )
}

const MARKS = {
  same: ['good', IconEqual],
  differs: ['bad', IconArrowsDiff],
  absent: ['neutral', IconMinus],
} as const

function ComparisonTable({ lines }: { lines: Comparison[] }) {
  const { results, none } = useWords()
  return (
    <table className={css.comparison}>
      <thead>
        <tr>
          <th>{results.field}</th>
          <th>{results.inReport}</th>
          <th>{results.inOrder}</th>
          <th>
            <span className="hidden-visually">{results.differs}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ field, inReport, inOrder, verdict }) => {
          const [tone, Icon] = MARKS[verdict]
          return (
            <tr key={field} data-verdict={verdict}>
              <td>{results.compared[field]}</td>
              <td>{inReport}</td>
              <td>{inOrder ?? none}</td>
              <td data-tone={tone}>
                <Icon size={14} /> {results[verdict]}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
