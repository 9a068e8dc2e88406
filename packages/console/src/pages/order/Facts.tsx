import type { ReactNode } from 'react'
import type { ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { isClosed } from '../../parts/statuses.ts'
import { Time } from '../../parts/Time.tsx'
import * as times from '../../parts/times.ts'
import css from './order.module.css'

/** What does not change about an order. */
export function Facts({ read }: { read: ReadOrder }) {
  const words = useWords()
  const { order, source, timezone } = read
  const { expiresAt, testReason } = order
  const left = expiresAt === null ? 0 : Date.parse(expiresAt) - Date.now()
  const duration = times.duration(words, left)
  return (
    <dl className={css.facts}>
      <Fact label={words.order.company} second={order.location?.name}>
        {order.company?.name ?? words.none}
      </Fact>
      <Fact
        label={words.order.package}
        second={testReason === null ? undefined : (words.testReasons[testReason] ?? testReason)}
      >
        {order.packages.map(({ name }) => name).join(', ')}
      </Fact>
      <Fact label={words.order.agency} second={order.jobCategory?.name}>
        {order.agency?.code ?? words.order.notRegulated}
      </Fact>
      <Fact label={words.order.placed} second={words.order.by(words.order.sources[source] ?? source)}>
        <Time at={order.createdAt} zone={timezone} isReachable />
      </Fact>
      <Fact
        label={words.order.expires}
        second={
          expiresAt === null || isClosed(order.status)
            ? undefined
            : left > 0
              ? words.order.inTime(duration)
              : words.order.ago(duration)
        }
      >
        {expiresAt === null ? words.order.never : <Time at={expiresAt} zone={timezone} isReachable />}
      </Fact>
      <Fact label={words.order.externalId} second={read.billingCode ?? undefined}>
        {order.externalId === null ? words.none : <code>{order.externalId}</code>}
      </Fact>
    </dl>
  )
}

const Fact = ({ label, second, children }: { label: string; second?: ReactNode; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <b>{children}</b>
      <span>{second}</span>
    </dd>
  </div>
)
