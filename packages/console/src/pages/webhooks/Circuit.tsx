import { IconCircleCheck, IconPlayerPause, IconPlugConnectedX } from '@tabler/icons-react'
import type { Receiver } from '@order-testing/client/operator'
import type { ReactNode } from 'react'
import { useWords, type Words } from '../../languages/words.tsx'
import type { Tone } from '../../parts/statuses.ts'
import * as times from '../../parts/times.ts'
import css from './webhooks.module.css'

/** The state of a receiver's circuit breaker in words: since when, what it means, and what comes next. */
export function Circuit({ receiver }: { receiver: Receiver }) {
  const words = useWords()
  const { tone, icon, title, detail } = describe(receiver, words)
  const { circuit } = words.webhooks
  const { lastDeliveredAt } = receiver
  return (
    <p className={css.circuit} data-tone={tone}>
      {icon}
      <span>
        <b>{title}</b> {detail}{' '}
        {lastDeliveredAt === null
          ? circuit.noSuccess
          : circuit.lastSuccess(times.moment(words, new Date(lastDeliveredAt)))}
      </span>
    </p>
  )
}

interface Description {
  tone: Tone
  icon: ReactNode
  title: string
  detail: string
}

function describe(receiver: Receiver, words: Words): Description {
  const { circuit } = words.webhooks
  const { state, failures, pausedAt, openedAt, openUntil } = receiver
  const at = (time: string) => times.moment(words, new Date(time))
  if (pausedAt !== null)
    return {
      tone: 'neutral',
      icon: <IconPlayerPause size={17} />,
      title: circuit.paused(at(pausedAt)),
      detail: circuit.pausedDetail,
    }
  const broken = { tone: 'bad', icon: <IconPlugConnectedX size={17} /> } as const
  if (state === 'open') {
    const probe = openUntil === null ? '' : circuit.probe(times.exactClock(words, new Date(openUntil)))
    const title = openedAt === null ? circuit.opened : circuit.open(at(openedAt))
    return { ...broken, title, detail: `${circuit.fails(failures)}${probe}.` }
  }
  if (state === 'halfOpen') return { ...broken, tone: 'warn', title: circuit.halfOpen, detail: circuit.halfOpenDetail }
  if (failures > 0)
    return { ...broken, tone: 'warn', title: circuit.degraded(failures), detail: circuit.degradedDetail }
  return { tone: 'good', icon: <IconCircleCheck size={17} />, title: circuit.closed, detail: circuit.closedDetail }
}
