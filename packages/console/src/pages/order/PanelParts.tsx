import type { ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { Time } from '../../parts/Time.tsx'
import { useOrderActions } from './actions.tsx'
import { isWithheld } from './rules.ts'
import { Withheld } from '../../parts/Tag.tsx'
import css from './order.module.css'

/** The services of an order, in a line each. */
export function PanelServices() {
  const words = useWords()
  const { services } = useOrderActions()
  return (
    <section className={css.side} aria-label={words.order.services}>
      <h2>{words.order.services}</h2>
      {services.map((service) => (
        <div key={service.shown.id} className={css.moves}>
          <div className={css.clinicLine}>
            <b>{service.shown.name}</b>
            <StatusMark status={service.shown.status} />
          </div>
          {isWithheld(service) && <Withheld>{words.order.withheld}</Withheld>}
        </div>
      ))}
    </section>
  )
}

const MOST_SHOWN = 6

/** The last statuses of an order. */
export function PanelHistory({ read }: { read: ReadOrder }) {
  const words = useWords()
  const entries = read.order.services
    .flatMap(({ name, statusHistory }) =>
      statusHistory.map(({ status, occurredAt }) => ({ name, status, at: occurredAt })),
    )
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
  return (
    <section className={css.side} aria-label={words.order.timeline}>
      <h2>{words.order.timeline}</h2>
      <ol className={css.history}>
        {entries.slice(0, MOST_SHOWN).map(({ name, status, at }, index) => (
          <li key={index}>
            <StatusMark status={status} />
            <span className={css.historyName}>{name}</span>
            <Time at={at} as="short" zone={read.timezone} isReachable />
          </li>
        ))}
      </ol>
    </section>
  )
}
