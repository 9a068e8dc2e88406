import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callbacksQuery, correctService, keepChanged, moveService, type ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { TextArea, TextField } from '../../parts/Field.tsx'
import { useRefusal } from '../../parts/States.tsx'
import { StatusIcon, StatusMark } from '../../parts/StatusMark.tsx'
import { isClosed, isResult, lookOf } from '../../parts/statuses.ts'
import * as times from '../../parts/times.ts'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'
import { ChangedMeanwhile, useVersion } from './ChangedMeanwhile.tsx'
import { correctionsOf, isDecision, movesOf, type MoveKind, type ServiceWithMoves } from './rules.ts'
import css from './order.module.css'

interface Props {
  read: ReadOrder
  service: ServiceWithMoves
  kind: MoveKind
  status?: string | undefined
  onClose: () => void
}

const MOST_REASON = 255

/** The change at the left, what follows from it at the right. What cannot be undone asks for the code of the order. */
export function MoveDialog({ read, service, kind, status: preset, onClose }: Props) {
  const words = useWords()
  const form = useMove({ read, service, kind, preset, onClose })
  const { status, choices, needsReviewer, typed, needsCode } = form
  const name = words.statuses[status] ?? status
  const current = words.statuses[service.shown.status] ?? service.shown.status
  const title = {
    correction: words.move.correctTitle,
    results: words.move.decisionTitle,
    steps: words.move.title,
    seldom: words.move.title,
  }[kind === 'results' && !needsReviewer && status ? 'steps' : kind]
  const verb = kind === 'correction' ? words.move.correctTo : words.move.moveTo
  const { code } = read.order
  const left = code.length - typed.length
  const refused = useRefusal(form.error, ['/reviewer', '/decidedAt', '/occurredAt', '/reason'], read.timezone)
  return (
    <AskDialog
      size={840}
      title={title}
      subtitle={
        <>
          <code className={css.dialogCode}>{code}</code> · {read.order.participant?.name} · {service.shown.name}
        </>
      }
      onClose={onClose}
      onConfirm={form.confirm}
      aside={<Consequences {...{ read, service, kind, status, needsReviewer }} />}
      leave={words.move.keep(current.toLowerCase())}
      confirm={status ? verb(name.toLowerCase()) : words.move.choose}
      isReady={form.isReady}
      isBusy={form.isBusy}
      error={form.version.newer ? undefined : form.error}
      refusal={form.version.newer ? undefined : refused.rest}
    >
      <ChangedMeanwhile {...form.version} serviceId={service.shown.id} />
      <fieldset className={css.choices}>
        <legend>{kind === 'correction' ? words.move.corrected : words.move.to}</legend>
        <div className={css.choiceNow}>
          <StatusMark status={service.shown.status} />
          <span>
            {words.move.reported(times.moment(words, new Date(service.shown.statusUpdatedAt), read.timezone))}
          </span>
        </div>
        <div className={css.choiceGrid}>
          {choices.map((each) => (
            <label key={each} className={css.choice} data-tone={lookOf(each).tone}>
              <input
                type="radio"
                name="status"
                value={each}
                checked={each === status}
                onChange={() => form.set({ status: each })}
              />
              <StatusIcon {...lookOf(each)} />
              {words.statuses[each] ?? each}
            </label>
          ))}
        </div>
      </fieldset>
      <p className={css.offered}>{words.move.offered}</p>
      {needsReviewer ? (
        <div className={css.pair}>
          <TextField
            label={words.move.decidedBy}
            placeholder={words.move.reviewer}
            value={form.reviewer}
            error={refused.at('/reviewer')}
            maxLength={255}
            onChange={(event) => form.set({ reviewer: event.target.value })}
          />
          <TextField
            label={words.move.decidedOn}
            type="datetime-local"
            value={form.at}
            max={form.latest}
            note={inUtc(form.at, read.timezone)}
            error={refused.at('/decidedAt', '/occurredAt')}
            onChange={(event) => form.set({ at: event.target.value })}
          />
        </div>
      ) : (
        kind !== 'correction' && (
          <TextField
            label={`${words.move.when}, ${times.zoneName(words, read.timezone)}`}
            type="datetime-local"
            value={form.at}
            max={form.latest}
            note={inUtc(form.at, read.timezone)}
            error={refused.at('/decidedAt', '/occurredAt')}
            onChange={(event) => form.set({ at: event.target.value })}
          />
        )
      )}
      <TextArea
        label={kind === 'correction' ? words.move.reason : `${words.move.reason} (${words.move.optional})`}
        value={form.reason}
        maxLength={MOST_REASON}
        error={refused.at('/reason')}
        note={
          <>
            {words.move.reasonNote} <span className={css.noteEnd}>{`${form.reason.length} / ${MOST_REASON}`}</span>
          </>
        }
        onChange={(event) => form.set({ reason: event.target.value })}
      />
      {needsCode && (
        <TextField
          label={words.move.typeCode}
          className="mono"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          placeholder={code}
          end={left > 0 ? words.move.left(left) : undefined}
          onChange={(event) => form.set({ typed: event.target.value.toUpperCase().slice(0, code.length) })}
        />
      )}
    </AskDialog>
  )
}

const inUtc = (local: string, zone: string) =>
  local ? `${times.toInstant(local, zone).slice(0, 16).replace('T', ' ')} UTC` : undefined

interface Fields {
  status: string
  at: string
  reviewer: string
  reason: string
  typed: string
}

function useMove({ read, service, kind, preset, onClose }: Omit<Props, 'status'> & { preset: string | undefined }) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const choices = kind === 'correction' ? correctionsOf(service) : movesOf(service)[kind]
  const [latest] = useState(() => times.toLocal(new Date(), read.timezone))
  const [fields, setFields] = useState<Fields>({
    status: preset ?? (choices.length === 1 ? choices[0]! : ''),
    at: latest,
    reviewer: '',
    reason: '',
    typed: '',
  })
  const { status, at, reviewer, reason, typed } = fields
  const needsReviewer =
    status === ''
      ? kind === 'results' && choices.some((each) => isDecision(service, each))
      : isDecision(service, status)
  const needsCode = status !== '' && isClosed(status)
  const version = useVersion(read)
  const { basedOn } = version
  const change = useDialogChange({
    onError: version.onError,
    send: (signal) => {
      const params = { id: read.order.id, serviceId: service.shown.id }
      const decision = needsReviewer ? { reviewer: reviewer.trim(), decidedAt: times.toInstant(at, read.timezone) } : {}
      if (kind === 'correction')
        return correctService(params, { status, reason: reason.trim(), ...decision, basedOn }, signal)
      // A time of this very minute is now: the clock of the service decides.
      const occurred = at === latest ? {} : { occurredAt: times.toInstant(at, read.timezone) }
      const why = reason.trim() && { reason: reason.trim() }
      return moveService(params, { status, ...occurred, ...decision, ...why, basedOn }, signal)
    },
    onSuccess: async (changed) => {
      await keepChanged(queries, changed)
      toasts.tell(words.move.moved(service.shown.name, words.statuses[status] ?? status))
      onClose()
    },
  })
  const isReady =
    status !== '' &&
    at !== '' &&
    (!needsReviewer || reviewer.trim() !== '') &&
    (kind !== 'correction' || reason.trim() !== '') &&
    (!needsCode || typed === read.order.code)
  return {
    ...fields,
    choices,
    latest,
    needsReviewer,
    needsCode,
    isReady,
    isBusy: change.isPending,
    error: change.error,
    version,
    set: (changes: Partial<Fields>) => setFields((now) => ({ ...now, ...changes })),
    confirm: () => change.mutate(),
  }
}

function Consequences({
  read,
  service,
  kind,
  status,
  needsReviewer,
}: Omit<Props, 'onClose' | 'status'> & { status: string; needsReviewer: boolean }) {
  const words = useWords()
  const callbacks = useQuery(callbacksQuery(read.order.id))
  const receivers = callbacks.data?.data ?? []
  const isFinal = isResult(status)
  const orderStatus = service.operator.orderStatusAfter[status]
  return (
    <div className={css.consequences}>
      <h3>{words.move.changes}</h3>
      <section>
        <h4>{words.move.service}</h4>
        <StatusMark status={service.shown.status} /> <IconArrowRight size={13} />{' '}
        {status ? <StatusMark status={status} /> : <span>…</span>}
      </section>
      <section>
        <h4>{words.move.order}</h4>
        <StatusMark status={read.order.status} /> <IconArrowRight size={13} />{' '}
        {orderStatus === undefined ? <span>…</span> : <StatusMark status={orderStatus} />}
        {orderStatus === read.order.status && <span className={css.quiet}> {words.move.unchanged}</span>}
      </section>
      <section>
        <h4>{words.move.webhooks}</h4>
        {receivers.length > 0 && <code>order.updated</code>} {words.move.receivers(receivers.length)}
        {[...new Set(receivers.map(({ origin }) => origin))].map((origin) => (
          <div key={origin} className={css.quiet}>
            {origin.replace(/^https?:\/\//, '')}
          </div>
        ))}
      </section>
      <section>
        <h4>{words.move.people}</h4>
        {status === 'cancelled' ? words.move.participantTold : words.move.nobody}
        {needsReviewer && <div className={css.quiet}>{words.move.reviewerTells}</div>}
      </section>
      <section>
        <h4>{words.move.audit}</h4>
        {needsReviewer ? words.move.auditReview : words.move.auditNote}
      </section>
      {(kind === 'correction' || isFinal) && (
        <p className={css.caution}>
          <IconAlertTriangle size={16} /> {kind === 'correction' ? words.move.warning : words.move.finalWarning}
        </p>
      )}
    </div>
  )
}
