import type { FullDelivery } from '@order-testing/client/operator'
import { useWords, type Words } from '../../languages/words.tsx'
import { StatusIcon } from '../../parts/StatusMark.tsx'
import type { Shape, Tone } from '../../parts/statuses.ts'
import * as times from '../../parts/times.ts'
import list from '../../shell/list.module.css'
import css from './webhooks.module.css'

type Step = FullDelivery['schedule'][number]
type Attempt = FullDelivery['log'][number]

interface Props {
  delivery: FullDelivery
  /** The number of the attempt that is shown. */
  chosen: number | undefined
  onChoose: (number: number) => void
}

/** The attempts of a delivery as steps: those that were made can be opened, and the others say when they are due. */
export function Schedule({ delivery: { log, schedule }, chosen, onChoose }: Props) {
  const words = useWords()
  const { webhooks } = words
  const planned = new Map(schedule.map((step) => [step.number, step]))
  const earlier = log.filter(({ number }) => !planned.has(number))
  const steps = [
    ...earlier.map(({ number, at }): Step => ({ number, at, state: 'done', waitSeconds: null })),
    ...schedule,
  ]
  return (
    <section className={list.section}>
      <h3>{webhooks.schedule}</h3>
      <ol className={css.schedule}>
        {steps.map((step) => {
          const attempt = log.find(({ number }) => number === step.number)
          const [shape, tone] = markOf(step, attempt)
          const label = webhooks.step(step.number, webhooks.steps[step.state] ?? step.state, whenOf(words, step))
          const wait = step.waitSeconds === null ? `${step.number}` : waitOf(words, step.waitSeconds)
          const inside = (
            <>
              <StatusIcon shape={shape} /> {wait} <span className="hidden-visually">{label}</span>
            </>
          )
          return (
            <li key={step.number}>
              {attempt ? (
                <button
                  type="button"
                  className={css.step}
                  aria-pressed={step.number === chosen}
                  title={label}
                  data-tone={tone}
                  onClick={() => onChoose(step.number)}
                >
                  {inside}
                </button>
              ) : (
                <span className={css.step} data-tone={tone} data-state={step.state} title={label}>
                  {inside}
                </span>
              )}
            </li>
          )
        })}
      </ol>
      <NextStep step={schedule.find(({ state }) => state === 'next')} />
    </section>
  )
}

function NextStep({ step }: { step: Step | undefined }) {
  const words = useWords()
  if (!step) return null
  return (
    <p className={list.quiet}>
      {words.webhooks.nextAttempt}: {whenOf(words, step)}
    </p>
  )
}

function markOf({ state }: Step, attempt: Attempt | undefined): [Shape, Tone] {
  if (state === 'next') return ['ring', 'progress']
  if (state === 'later' || !attempt) return ['dashed', 'neutral']
  return attempt.status !== null && attempt.status >= 200 && attempt.status < 300 ? ['check', 'good'] : ['alert', 'bad']
}

function whenOf(words: Words, { at, state }: Step): string {
  if (at !== null) return `${times.day(words, new Date(at))}, ${times.exactClock(words, new Date(at))}`
  return state === 'done' ? words.webhooks.noRecord : words.webhooks.unknownTime
}

function waitOf({ webhooks: { waits } }: Words, seconds: number): string {
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} ${waits.hours}`
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} ${waits.minutes}` : `${seconds} ${waits.seconds}`
}
