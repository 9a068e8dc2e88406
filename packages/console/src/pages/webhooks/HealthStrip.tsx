import type { Receiver } from '@order-testing/client/operator'
import { useWords } from '../../languages/words.tsx'
import * as times from '../../parts/times.ts'
import css from './webhooks.module.css'

type Day = Receiver['lastDay']

const HALF_HOUR_MS = 30 * 60_000

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** Half hours differ by height and pattern besides color. */
function kindOf(delivered: number, failed: number): 'none' | 'good' | 'mixed' | 'bad' {
  if (failed === 0) return delivered === 0 ? 'none' : 'good'
  return delivered === 0 ? 'bad' : 'mixed'
}

/** The last 24 hours as 48 bars. */
export function HealthStrip({ day, host }: { day: Day; host: string }) {
  const { webhooks, locale } = useWords()
  const [delivered, failed] = [sum(day.delivered), sum(day.failed)].map((count) => count.toLocaleString(locale))
  return (
    <span
      className={css.strip}
      role="img"
      aria-label={`${webhooks.dayOf(host)}: ${webhooks.daySum(delivered!, failed!)}`}
    >
      {day.delivered.map((count, index) => (
        <i key={index} data-kind={kindOf(count, day.failed[index] ?? 0)} />
      ))}
    </span>
  )
}

/** What the bars mean. */
export function StripKey() {
  const { webhooks } = useWords()
  return (
    <p className={css.stripKey} aria-hidden="true">
      {(['good', 'mixed', 'bad', 'none'] as const).map((kind) => (
        <span key={kind}>
          <i data-kind={kind} /> {webhooks.stripKey[kind]}
        </span>
      ))}
    </p>
  )
}

/** The same as a table, without the half hours in which nothing was sent. */
export function HealthTable({ day }: { day: Day }) {
  const words = useWords()
  const { webhooks, locale } = words
  const from = Date.parse(day.from)
  const rows = day.delivered
    .map((delivered, index) => ({
      at: new Date(from + index * HALF_HOUR_MS),
      delivered,
      failed: day.failed[index] ?? 0,
    }))
    .filter(({ delivered, failed }) => delivered + failed > 0)
    .toReversed()
  return (
    <details className={css.twin}>
      <summary>{webhooks.asTable}</summary>
      {rows.length === 0 ? (
        <p>{webhooks.noAttempts}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{webhooks.halfHour}</th>
              <th scope="col">{webhooks.delivered}</th>
              <th scope="col">{webhooks.failed}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ at, delivered, failed }) => (
              <tr key={at.getTime()}>
                <th scope="row">{times.moment(words, at)}</th>
                <td>{delivered.toLocaleString(locale)}</td>
                <td>{failed.toLocaleString(locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  )
}
