import { IconPlayerPause, IconPlayerPlay, IconPlugConnectedX, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Receiver } from '@order-testing/client/operator'
import { useState } from 'react'
import { pauseReceiver, receiversQuery, replayFailed, resumeReceiver } from '../../api/webhooks.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { sentenceOf } from '../../parts/States.tsx'
import { StatusIcon } from '../../parts/StatusMark.tsx'
import type { Shape, Tone } from '../../parts/statuses.ts'
import { Time } from '../../parts/Time.tsx'
import * as times from '../../parts/times.ts'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import list from '../../shell/list.module.css'
import css from './webhooks.module.css'

/** Receivers that are paused, fail, or have parked deliveries, and what to do about the chosen one. */
export function Receivers({ chosen, onChoose }: { chosen: string | undefined; onChoose: (origin: string) => void }) {
  const words = useWords()
  const receivers = useQuery(receiversQuery)
  const rows = receivers.data?.data ?? []
  const receiver = rows.find(({ origin }) => origin === chosen)
  return (
    <>
      {rows.length > 0 && (
        <table className={css.receivers}>
          <thead>
            <tr>
              <th>{words.webhooks.receiver}</th>
              <th>{words.webhooks.health}</th>
              <th className={css.right}>{words.webhooks.held}</th>
              <th className={css.right}>{words.webhooks.waiting}</th>
              <th className={css.right}>{words.webhooks.oldest}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((each) => (
              <tr key={each.origin} data-chosen={each.origin === chosen} onClick={() => onChoose(each.origin)}>
                <td>
                  <button type="button" className={css.origin}>
                    {each.origin.replace(/^https?:\/\//, '')}
                  </button>
                </td>
                <td>
                  <Health receiver={each} />
                </td>
                <td className={css.right}>{each.held.toLocaleString(words.locale)}</td>
                <td className={css.right}>{each.waiting.toLocaleString(words.locale)}</td>
                <td className={css.right}>
                  {each.oldestAt === null ? words.none : <Time at={each.oldestAt} as="short" />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {chosen !== undefined && <Chosen origin={chosen} receiver={receiver} />}
    </>
  )
}

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

function Chosen({ origin, receiver }: { origin: string; receiver: Receiver | undefined }) {
  const words = useWords()
  const mayWrite = useMay('operator.deliveries.write')
  const { pause, resume, isBusy } = useReceiver(origin)
  const [isReplaying, setReplaying] = useState(false)
  return (
    <>
      {receiver?.state === 'open' && (
        <p className={css.circuit}>
          <IconPlugConnectedX size={17} />
          <span>
            <b>{words.webhooks.states.open}.</b> {words.webhooks.failures(receiver.failures)}
            {receiver.openUntil !== null &&
              `; ${words.webhooks.openUntil(times.clock(words, new Date(receiver.openUntil)))}`}
            .
          </span>
        </p>
      )}
      {mayWrite && (
        <div className={css.actions}>
          {receiver?.pausedAt || receiver?.state === 'open' ? (
            <Button icon={<IconPlayerPlay size={15} />} isBusy={isBusy} onClick={resume}>
              {words.webhooks.resume}
            </Button>
          ) : (
            <Button icon={<IconPlayerPause size={15} />} isBusy={isBusy} onClick={pause}>
              {words.webhooks.pause}
            </Button>
          )}
          <Button icon={<IconRefresh size={15} />} onClick={() => setReplaying(true)}>
            {words.webhooks.replayFailed}
          </Button>
        </div>
      )}
      {isReplaying && <ReplayDialog origin={origin} onClose={() => setReplaying(false)} />}
    </>
  )
}

function useReceiver(origin: string) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const host = origin.replace(/^https?:\/\//, '')
  const change = useMutation({
    mutationFn: (isPause: boolean) => (isPause ? pauseReceiver(origin) : resumeReceiver(origin)),
    onSuccess: async (_, isPause) => {
      toasts.tell(isPause ? words.webhooks.paused(host) : words.webhooks.resumed(host))
      await queries.invalidateQueries({ queryKey: ['receivers'] })
      await queries.invalidateQueries({ queryKey: ['deliveries'] })
    },
    onError: (error) => toasts.warn(sentenceOf(error, words)),
  })
  return { pause: () => change.mutate(true), resume: () => change.mutate(false), isBusy: change.isPending }
}

function ReplayDialog({ origin, onClose }: { origin: string; onClose: () => void }) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const replay = useMutation({
    mutationFn: () => replayFailed(origin),
    onSuccess: async ({ replayed }) => {
      toasts.tell(words.webhooks.replayedMany(replayed))
      await queries.invalidateQueries({ queryKey: ['deliveries'] })
      onClose()
    },
  })
  return (
    <Dialog
      title={words.webhooks.replayTitle(origin.replace(/^https?:\/\//, ''))}
      onClose={onClose}
      onConfirm={() => replay.mutate()}
      footer={
        <>
          <span role="alert">{replay.error ? sentenceOf(replay.error, words) : ''}</span>
          <Button size="form" keys="escape" onClick={onClose}>
            {words.webhooks.replayKeep}
          </Button>
          <Button size="form" look="filled" keys="mod+enter" isBusy={replay.isPending} onClick={() => replay.mutate()}>
            {words.webhooks.replayConfirm}
          </Button>
        </>
      }
    >
      <p className={list.quiet}>{words.webhooks.replayNote}</p>
    </Dialog>
  )
}
