import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isRefusal, withPatience } from '../../api/failures.ts'
import type { ListedOrder } from '../../api/masking.ts'
import { cancelOrder, extendOrder, readOrdersPage, sendLink } from '../../api/orders.ts'
import type { OrderFilters } from '../../api/order-filters.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { csvFile } from '../../parts/csv.ts'
import { download } from '../../parts/download.ts'
import { TextArea, TextField } from '../../parts/Field.tsx'
import { Progress } from '../../parts/Progress.tsx'
import { sentenceOf } from '../../parts/States.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { collect, isPossible, leftOutOf, runBulk, type BulkAction, type BulkOutcome } from './bulk.ts'
import css from './orders.module.css'

/** The selected orders, or the filter whose orders are all meant. */
export type BulkTarget = { orders: ListedOrder[] } | { filters: OrderFilters; total: number }

interface Props {
  action: BulkAction
  target: BulkTarget
  onClose: () => void
  /** Told at the end which orders were refused. */
  onDone: (refused: ListedOrder[]) => void
}

type Phase =
  | { name: 'collecting'; read: number }
  | { name: 'asking'; orders: ListedOrder[] }
  | { name: 'running'; orders: ListedOrder[]; done: number }
  | { name: 'done'; orders: ListedOrder[]; outcomes: BulkOutcome[]; failure?: unknown }
  | { name: 'failed'; failure: unknown }

/** Says what will be done to how many orders, does it one by one with a way to stop, and lists what was refused. */
export function BulkDialog({ action, target, onClose, onDone }: Props) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const texts = words.bulk[action]
  const stopping = useRef(new AbortController())
  const [phase, setPhase] = useCollected(target, stopping.current)
  const [reason, setReason] = useState('')
  const [days, setDays] = useState('14')
  const [typed, setTyped] = useState('')
  useStayWhile(phase.name === 'running')
  const possible = phase.name === 'asking' ? phase.orders.filter((order) => isPossible(action, order)) : []
  const isFilled =
    (action === 'sendLink' || reason.trim() !== '') && (action !== 'extend' || isDays(days)) && possible.length > 0
  const isReady = isFilled && typed.trim() === String(possible.length)
  const act = ({ id }: ListedOrder): Promise<unknown> => {
    if (action === 'cancel') return cancelOrder(id, { reason: reason.trim() })
    if (action === 'extend') return extendOrder(id, { days: Number(days), reason: reason.trim() })
    return sendLink(id)
  }
  const run = async () => {
    if (!isReady) return
    setPhase({ name: 'running', orders: possible, done: 0 })
    const { signal } = stopping.current
    const patient = (order: ListedOrder) => withPatience(() => act(order), { signal })
    const onProgress = (done: number) => setPhase({ name: 'running', orders: possible, done })
    const result = await runBulk(possible, patient, {
      signal,
      onProgress,
      isRefusal,
      explain: (error) => sentenceOf(error, words),
    })
    await queries.invalidateQueries({ queryKey: ['orders'] })
    const refused = result.outcomes.filter(({ refusal }) => refusal !== undefined).map(({ order }) => order)
    onDone('orders' in target ? refused : [])
    const isComplete = result.outcomes.length === possible.length && refused.length === 0
    if (isComplete && 'orders' in target) {
      toasts.tell(texts.done(possible.length))
      onClose()
    } else setPhase({ name: 'done', orders: possible, ...result })
  }
  const leave = () => {
    stopping.current.abort()
    if (phase.name !== 'running') onClose()
  }
  const title = texts.title(
    phase.name === 'asking' ? possible.length : 'orders' in phase ? phase.orders.length : sizeOf(target),
  )
  return (
    <Dialog
      title={title}
      subtitle={<Codes orders={phase.name === 'asking' ? possible : 'orders' in phase ? phase.orders : []} />}
      onClose={leave}
      onConfirm={() => void run()}
      footer={
        <>
          <Button size="form" keys="escape" onClick={leave}>
            {phase.name === 'running'
              ? words.bulk.stop
              : phase.name === 'done'
                ? words.actions.close
                : words.orders.keep}
          </Button>
          {phase.name === 'asking' && (
            <Button
              size="form"
              look={action === 'cancel' ? 'dangerFilled' : 'filled'}
              keys="mod+enter"
              disabled={!isReady}
              onClick={() => void run()}
            >
              {title}
            </Button>
          )}
        </>
      }
    >
      {phase.name === 'collecting' && <Progress text={words.bulk.reading} done={phase.read} of={sizeOf(target)} />}
      {phase.name === 'failed' && <p role="alert">{sentenceOf(phase.failure, words)}</p>}
      {phase.name === 'asking' && (
        <>
          <p>{texts.effect}</p>
          {phase.orders.length > possible.length && (
            <p className={css.leftOut}>
              {words.bulk.left(
                phase.orders.length - possible.length,
                leftOutOf(action, phase.orders)
                  .map(([status, count]) => `${count} ${(words.statuses[status] ?? status).toLowerCase()}`)
                  .join(', '),
              )}
            </p>
          )}
          {action === 'extend' && (
            <TextField
              label={words.today.extend.days}
              data-autofocus
              type="number"
              min={1}
              max={90}
              value={days}
              note={words.today.extend.daysNote}
              error={isDays(days) ? undefined : words.today.extend.daysNote}
              onChange={(event) => setDays(event.target.value)}
            />
          )}
          {action !== 'sendLink' && (
            <TextArea
              label={words.cancel.reason}
              data-autofocus={action === 'cancel' || undefined}
              maxLength={255}
              value={reason}
              note={words.move.reasonNote}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
          <TextField
            label={words.orders.cancelCount(possible.length)}
            data-autofocus={action === 'sendLink' || undefined}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </>
      )}
      {phase.name === 'running' && <Progress text={words.bulk.running} done={phase.done} of={phase.orders.length} />}
      {phase.name === 'done' && <Results {...phase} action={action} />}
    </Dialog>
  )
}

const isDays = (text: string) => /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 90

const sizeOf = (target: BulkTarget) => ('orders' in target ? target.orders.length : target.total)

/** Reads the orders of a filter first. Those that are placed later are not meant. */
function useCollected(target: BulkTarget, stopping: AbortController) {
  const [phase, setPhase] = useState<Phase>(
    'orders' in target ? { name: 'asking', orders: target.orders } : { name: 'collecting', read: 0 },
  )
  const isBegun = useRef(false)
  useEffect(() => {
    if ('orders' in target || isBegun.current) return
    isBegun.current = true
    const { signal } = stopping
    const until = target.filters.createdTo ?? new Date().toISOString()
    const readPage = (page: number) =>
      withPatience(() => readOrdersPage({ ...target.filters, createdTo: until }, page), { signal })
    collect(readPage, { signal, onProgress: (read) => setPhase({ name: 'collecting', read }) }).then(
      (orders) => setPhase({ name: 'asking', orders }),
      (failure: unknown) => setPhase({ name: 'failed', failure }),
    )
  }, [target, stopping])
  return [phase, setPhase] as const
}

/** Asks before the page is closed while something is under way. */
function useStayWhile(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return undefined
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', stay)
    return () => window.removeEventListener('beforeunload', stay)
  }, [isBusy])
}

const Codes = ({ orders }: { orders: ListedOrder[] }) => (
  <>
    {orders
      .slice(0, 6)
      .map(({ code }) => code)
      .join(' · ')}
    {orders.length > 6 && ' · …'}
  </>
)

function Results({
  action,
  orders,
  outcomes,
  failure,
}: {
  action: BulkAction
  orders: ListedOrder[]
  outcomes: BulkOutcome[]
  failure?: unknown
}) {
  const words = useWords()
  const refused = outcomes.filter(({ refusal }) => refusal !== undefined)
  const untouched = orders.length - outcomes.length
  const save = () => {
    const rows = orders.map((order, index) => {
      const outcome = outcomes[index]
      return [order.code, outcome ? (outcome.refusal ?? words.bulk.wasDone) : words.bulk.notTried]
    })
    const file = csvFile([[words.orders.fields.code, words.bulk.outcome], ...rows])
    download('outcome.csv', new Blob([file], { type: 'text/csv;charset=utf-8' }))
  }
  return (
    <div className={css.outcome}>
      <p role="status">
        <b>{words.bulk[action].done(outcomes.length - refused.length)}</b>{' '}
        {refused.length > 0 && words.bulk.refused(refused.length)} {untouched > 0 && words.bulk.untouched(untouched)}
      </p>
      {failure !== undefined && <p role="alert">{sentenceOf(failure, words)}</p>}
      {refused.length > 0 && (
        <ul tabIndex={0} aria-label={words.bulk.refused(refused.length)}>
          {refused.map(({ order, refusal }) => (
            <li key={order.id}>
              <code>{order.code}</code> {refusal}
            </li>
          ))}
        </ul>
      )}
      <Button onClick={save}>{words.bulk.save}</Button>
    </div>
  )
}
