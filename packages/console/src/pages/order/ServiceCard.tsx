import { IconCheck, IconLock } from '@tabler/icons-react'
import { useWords } from '../../languages/words.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { isClosed, lookOf } from '../../parts/statuses.ts'
import { Tag, Withheld } from '../../parts/Tag.tsx'
import * as times from '../../parts/times.ts'
import { isWithheld, pathOf, type ServiceWithMoves } from './rules.ts'
import css from './order.module.css'

/** One test: where it stands, how it came there, and what usually follows. */
export function ServiceCard({ service, zone }: { service: ServiceWithMoves; zone: string }) {
  const words = useWords()
  const { shown } = service
  return (
    <article className={css.service} aria-label={shown.name}>
      <header>
        <h3>{shown.name}</h3>
        {shown.isDot && <Tag>DOT</Tag>}
        <span className={css.serviceStatus}>
          <StatusMark status={shown.status} />
        </span>
      </header>
      <p className={css.serviceFacts}>
        <Facts service={service} />
      </p>
      <Path service={service} zone={zone} />
      {isWithheld(service) && (
        <Withheld>
          <IconLock size={14} /> {words.order.withheld}
        </Withheld>
      )}
    </article>
  )
}

function Facts({ service: { shown } }: { service: ServiceWithMoves }) {
  const words = useWords()
  const { actor } = lookOf(shown.status)
  const parts = [
    shown.specimenId !== null && (
      <>
        {words.order.specimen} <code>{shown.specimenId}</code>
      </>
    ),
    shown.lab?.name,
    shown.courierServiceName !== null && (
      <>
        {shown.courierServiceName} {shown.trackingNumber !== null && <code>{shown.trackingNumber}</code>}
      </>
    ),
    actor !== 'nobody' && !isClosed(shown.status) && (
      <>
        {words.order.waitingOn} <b>{words.actors[actor].toLowerCase()}</b>{' '}
        {words.order.since(times.duration(words, Date.now() - Date.parse(shown.statusUpdatedAt)))}
      </>
    ),
  ].filter(Boolean)
  return parts.map((part, index) => (
    <span key={index}>
      {index > 0 && ' · '}
      {part}
    </span>
  ))
}

function Path({ service, zone }: { service: ServiceWithMoves; zone: string }) {
  const words = useWords()
  const { steps, current } = pathOf(service)
  return (
    <ol className={css.path}>
      {steps.map(({ status, at }, index) => (
        <li
          key={status}
          data-step={index < current ? 'done' : index === current ? 'now' : 'later'}
          data-tone={index === current ? lookOf(status).tone : 'progress'}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className={css.stepMark}>{index < current && <IconCheck size={9} stroke={3.2} />}</span>
          <span className={css.stepName}>
            {status === 'result' ? words.order.result : (words.statuses[status] ?? status)}
          </span>
          <span className={css.stepDay}>{at !== null && times.day(words, new Date(at), zone)}</span>
        </li>
      ))}
    </ol>
  )
}
