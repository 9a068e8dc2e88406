import { IconArrowsDiff, IconEqual, IconMinus, IconSearch } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FullResult } from '@order-testing/client/operator'
import { useRef, useState } from 'react'
import { candidatesQuery, reportOf, type Candidate, type Comparison } from '../../api/candidates.ts'
import { orderQuery } from '../../api/orders.ts'
import { assignResult } from '../../api/results.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { TextField } from '../../parts/Field.tsx'
import { Keys } from '../../parts/Keys.tsx'
import { sentenceOf, SlowNotice } from '../../parts/States.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { isResult } from '../../parts/statuses.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import css from './results.module.css'

/** The orders that a report may be about. Assigning says what will happen. */
export function Candidates({ result }: { result: FullResult }) {
  const words = useWords()
  const named = useNamedOrder(result)
  const report = reportOf(result)
  const [typed, setTyped] = useState<string>()
  const text = typed ?? named ?? report.match?.orderCode ?? report.match?.specimenId ?? ''
  const candidates = useQuery(candidatesQuery(result, text))
  const field = useRef<HTMLInputElement>(null)
  useShortcut('/', () => field.current?.focus())
  return (
    <section className={css.candidates} aria-label={words.results.candidates}>
      <header>
        <h2>{words.results.candidates}</h2>
        <form
          className={css.find}
          onSubmit={(event) => {
            event.preventDefault()
            setTyped(field.current?.value.trim() ?? '')
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
          />
          <Keys keys="/" />
        </form>
      </header>
      {candidates.isLoading && <SlowNotice />}
      {candidates.data?.map((candidate, index) => (
        <CandidateCard key={candidate.order.id} result={result} candidate={candidate} isFirst={index === 0} />
      ))}
      {(candidates.data?.length === 0 || text === '') && <p className={css.noOrder}>{words.results.noOrder}</p>}
    </section>
  )
}

/** The code of the order that the service found already. */
function useNamedOrder({ orderId }: FullResult): string | undefined {
  const order = useQuery({ ...orderQuery(orderId ?? ''), enabled: orderId !== null })
  return order.data?.order.code
}

function CandidateCard({ result, candidate, isFirst }: { result: FullResult; candidate: Candidate; isFirst: boolean }) {
  const words = useWords()
  const mayWrite = useMay('operator.results.write')
  const { order, comparison } = candidate
  const [chosen, setChosen] = useState(() => result.serviceId ?? order.services[0]?.id ?? '')
  const [reason, setReason] = useState('')
  const assign = useAssign(result, order.code)
  const service = order.services.find(({ id }) => id === chosen)
  // Another result is a correction, which needs a reason.
  const isReady = service !== undefined && (!isResult(service.status) || reason.trim() !== '')
  return (
    <article className={css.candidate} data-first={isFirst} aria-label={order.code}>
      <header>
        <code>{order.code}</code> <StatusMark status={order.status} />
        <p>{[order.participant?.name, order.company?.name, order.location?.name].filter(Boolean).join(' · ')}</p>
      </header>
      {comparison.length > 0 && <ComparisonTable lines={comparison} />}
      {mayWrite && (
        <div className={css.assign}>
          <fieldset>
            <legend>{words.results.assignService}</legend>
            {order.services.map((each) => (
              <label key={each.id}>
                <input
                  type="radio"
                  name={`service-${order.id}`}
                  checked={each.id === chosen}
                  onChange={() => setChosen(each.id)}
                />
                {each.name} <StatusMark status={each.status} />
              </label>
            ))}
          </fieldset>
          <p>{words.results.assignNote}</p>
          {service && isResult(service.status) && (
            <TextField
              label={words.results.reason}
              value={reason}
              maxLength={255}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
          <div className={css.buttons}>
            <Button
              size="form"
              look="filled"
              disabled={!isReady}
              isBusy={assign.isPending}
              onClick={() => assign.mutate({ serviceId: chosen, reason: reason.trim() })}
            >
              {words.results.assignTo(order.code)}
            </Button>
            <Link to="/orders/$code" params={{ code: order.code }}>
              {words.orders.openPage}
            </Link>
          </div>
          {assign.error && (
            <p role="alert" className={css.problem}>
              {sentenceOf(assign.error, words)}
            </p>
          )}
        </div>
      )}
    </article>
  )
}

function useAssign({ id }: FullResult, code: string) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ serviceId, reason }: { serviceId: string; reason: string }) => assignResult(id, serviceId, reason),
    onSuccess: async () => {
      toasts.tell(words.results.assigned(code))
      for (const key of ['results', 'result', 'orders', 'order']) await queries.invalidateQueries({ queryKey: [key] })
    },
  })
}

const MARKS = {
  same: ['good', IconEqual],
  differs: ['bad', IconArrowsDiff],
  absent: ['neutral', IconMinus],
} as const

function ComparisonTable({ lines }: { lines: Comparison[] }) {
  const words = useWords()
  const { results } = words
  return (
    <table className={css.comparison}>
      <thead>
        <tr>
          <th>{results.field}</th>
          <th>{results.inReport}</th>
          <th>{results.inOrder}</th>
          <th aria-label={results.differs} />
        </tr>
      </thead>
      <tbody>
        {lines.map(({ field, inReport, inOrder, verdict }) => {
          const [tone, Icon] = MARKS[verdict]
          return (
            <tr key={field} data-verdict={verdict}>
              <td>{labelOf(field, words)}</td>
              <td>{inReport}</td>
              <td>{inOrder ?? words.none}</td>
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

const labelOf = (field: Comparison['field'], { order, results, actors }: Words) =>
  ({
    name: order.name,
    birthDate: order.birthDate,
    specimenId: results.names['specimenId'],
    laboratory: actors.laboratory,
  })[field]
