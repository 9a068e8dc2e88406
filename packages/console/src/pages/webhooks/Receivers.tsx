import { IconActivityHeartbeat, IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Receiver } from '@order-testing/client/operator'
import { useLayoutEffect, useRef, useState } from 'react'
import {
  pauseReceiver,
  probeReceiver,
  receiverQuery,
  receiversQuery,
  replayFailed,
  resumeReceiver,
  type ReceiverSelection,
} from '../../api/webhooks.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { sentenceOf } from '../../parts/States.tsx'
import { StatusIcon } from '../../parts/StatusMark.tsx'
import type { Shape, Tone } from '../../parts/statuses.ts'
import { Tag } from '../../parts/Tag.tsx'
import { Time } from '../../parts/Time.tsx'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { actionsOf } from './receiver-actions.ts'
import { Circuit } from './Circuit.tsx'
import { HealthStrip, HealthTable, StripKey } from './HealthStrip.tsx'
import { V1Callbacks } from './V1Callbacks.tsx'
import list from '../../shell/list.module.css'
import css from './webhooks.module.css'

interface Props {
  selection: ReceiverSelection
  chosen: string | undefined
  onChoose: (origin: string) => void
}

/** The selected receivers, and what to do about the chosen one. */
export function Receivers({ selection, chosen, onChoose }: Props) {
  const words = useWords()
  const { webhooks } = words
  const receivers = useInfiniteQuery(receiversQuery(selection))
  const rows = receivers.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      {receivers.error && <p className={css.noneShown}>{sentenceOf(receivers.error, words)}</p>}
      {receivers.data && rows.length === 0 && <p className={css.noneShown}>{webhooks.noneShown[selection]}</p>}
      {rows.length > 0 && (
        <div className={css.frame}>
          <ReceiverTable rows={rows} chosen={chosen} onChoose={onChoose} />
          {receivers.hasNextPage && (
            <Button isBusy={receivers.isFetchingNextPage} onClick={() => void receivers.fetchNextPage()}>
              {webhooks.moreReceivers}
            </Button>
          )}
        </div>
      )}
      {chosen !== undefined && <Chosen key={chosen} origin={chosen} />}
    </>
  )
}

function ReceiverTable({ rows, chosen, onChoose }: Omit<Props, 'selection'> & { rows: Receiver[] }) {
  const words = useWords()
  const { webhooks, locale } = words
  return (
    <table className={css.receivers}>
      <thead>
        <tr>
          <th>{webhooks.receiver}</th>
          <th>{webhooks.health}</th>
          <th className={css.wide}>{webhooks.day}</th>
          <th className={`${css.right} ${css.wide}`} title={webhooks.p95Note}>
            {webhooks.p95}
          </th>
          <th className={css.right}>{webhooks.held}</th>
          <th className={`${css.right} ${css.wide}`}>{webhooks.waiting}</th>
          <th className={`${css.right} ${css.wide}`}>{webhooks.oldest}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((each) => (
          <tr key={each.origin} data-chosen={each.origin === chosen} onClick={() => onChoose(each.origin)}>
            <td>
              <button type="button" className={css.origin}>
                {hostOf(each.origin)}
              </button>{' '}
              {each.usesV1 && (
                <span title={webhooks.usesV1}>
                  <Tag tone="warn">v1</Tag>
                </span>
              )}
            </td>
            <td>
              <Health receiver={each} />
            </td>
            <td className={css.wide}>
              <HealthStrip day={each.lastDay} host={hostOf(each.origin)} />
            </td>
            <td className={`${css.right} ${css.wide}`}>
              {each.p95Ms === null ? words.none : answerTime(each.p95Ms, words)}
            </td>
            <td className={css.right}>{each.held.toLocaleString(locale)}</td>
            <td className={`${css.right} ${css.wide}`}>{each.waiting.toLocaleString(locale)}</td>
            <td className={`${css.right} ${css.wide}`}>
              {each.oldestAt === null ? words.none : <Time at={each.oldestAt} as="short" />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** In seconds if it takes that long. */
const answerTime = (ms: number, { webhooks, locale }: Words) =>
  ms < 1000
    ? webhooks.took(ms.toLocaleString(locale))
    : webhooks.tookSeconds((ms / 1000).toLocaleString(locale, { maximumFractionDigits: 1 }))

const hostOf = (origin: string) => origin.replace(/^https?:\/\//, '')

function healthOf({ state, pausedAt, failures }: Receiver, { webhooks: { states } }: Words): [Shape, Tone, string] {
  if (pausedAt !== null) return ['bar', 'neutral', states.paused]
  if (state === 'open') return ['alert', 'bad', states.open]
  if (state === 'halfOpen') return ['pie', 'warn', states.halfOpen]
  return failures > 0 ? ['triangle', 'warn', states.degraded] : ['check', 'good', states.closed]
}

function Health({ receiver }: { receiver: Receiver }) {
  const [shape, tone, word] = healthOf(receiver, useWords())
  return (
    <span className={css.outcome} data-tone={tone}>
      <StatusIcon shape={shape} /> {word}
    </span>
  )
}

function Chosen({ origin }: { origin: string }) {
  const words = useWords()
  const mayWrite = useMay('operator.deliveries.write')
  const { change, isBusy } = useReceiver(origin)
  const [isReplaying, setReplaying] = useState(false)
  const { data: receiver } = useQuery(receiverQuery(origin))
  const { actions, keepFocus } = useKeptFocus(receiver)
  const act = (how: keyof typeof CHANGES) => {
    keepFocus()
    change(how)
  }
  return (
    <section className={css.chosen} aria-label={hostOf(origin)}>
      {receiver && (
        <>
          <Circuit receiver={receiver} />
          <div className={css.dayFrame}>
            <HealthStrip day={receiver.lastDay} host={hostOf(origin)} />
            <StripKey />
          </div>
          <HealthTable day={receiver.lastDay} />
          {receiver.usesV1 && <V1Callbacks origin={origin} />}
        </>
      )}
      {mayWrite && (
        <div ref={actions} className={css.actions}>
          {receiver && actionsOf(receiver).includes('probe') && (
            <Button icon={<IconActivityHeartbeat size={15} />} isBusy={isBusy} onClick={() => act('probe')}>
              {words.webhooks.probe}
            </Button>
          )}
          {receiver && actionsOf(receiver).includes('resume') && (
            <Button icon={<IconPlayerPlay size={15} />} isBusy={isBusy} onClick={() => act('resume')}>
              {receiver.pausedAt === null ? words.webhooks.close : words.webhooks.resume}
            </Button>
          )}
          {receiver && actionsOf(receiver).includes('pause') && (
            <Button icon={<IconPlayerPause size={15} />} isBusy={isBusy} onClick={() => act('pause')}>
              {words.webhooks.pause}
            </Button>
          )}
          <Button icon={<IconRefresh size={15} />} onClick={() => setReplaying(true)}>
            {words.webhooks.replayFailed}
          </Button>
        </div>
      )}
      {isReplaying && <ReplayDialog origin={origin} onClose={() => setReplaying(false)} />}
    </section>
  )
}

/** A button that has done its work goes. The first of those that are there now gets its focus. */
function useKeptFocus(receiver: Receiver | null | undefined) {
  const actions = useRef<HTMLDivElement>(null)
  const isActing = useRef(false)
  useLayoutEffect(() => {
    if (!isActing.current || document.activeElement !== document.body) return
    isActing.current = false
    actions.current?.querySelector('button')?.focus()
  }, [receiver])
  return { actions, keepFocus: () => void (isActing.current = true) }
}

const CHANGES = { pause: pauseReceiver, resume: resumeReceiver, probe: probeReceiver }

function useReceiver(origin: string) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const host = hostOf(origin)
  const change = useMutation({
    mutationFn: (how: keyof typeof CHANGES) => CHANGES[how](origin),
    onSuccess: async (_, how) => {
      toasts.tell(words.webhooks.changed[how](host))
      await queries.invalidateQueries({ queryKey: ['receivers'] })
      await queries.invalidateQueries({ queryKey: ['deliveries'] })
    },
    onError: (error) => toasts.warn(sentenceOf(error, words)),
  })
  return { change: change.mutate, isBusy: change.isPending }
}

function ReplayDialog({ origin, onClose }: { origin: string; onClose: () => void }) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const replay = useDialogChange({
    send: (signal) => replayFailed(origin, signal),
    onSuccess: async ({ replayed }) => {
      toasts.tell(words.webhooks.replayedMany(replayed))
      await queries.invalidateQueries({ queryKey: ['deliveries'] })
      onClose()
    },
  })
  return (
    <AskDialog
      title={words.webhooks.replayTitle(hostOf(origin))}
      onClose={onClose}
      onConfirm={() => replay.mutate()}
      leave={words.webhooks.replayKeep}
      confirm={words.webhooks.replayConfirm}
      isBusy={replay.isPending}
      error={replay.error}
    >
      <p className={list.quiet}>{words.webhooks.replayNote}</p>
    </AskDialog>
  )
}
