import { IconAlertTriangle } from '@tabler/icons-react'
import type { Figures } from '@order-testing/client/operator'
import { useState, type ReactNode } from 'react'
import { useWords, type Words } from '../../languages/words.tsx'
import { Choice } from '../../parts/Field.tsx'
import * as times from '../../parts/times.ts'
import { FigureTable } from './FigureTable.tsx'
import { FEW, longestOf, span, stageSentence, type StageRow } from './measures.ts'
import { noonOf } from './period.ts'
import { dayRows, stageRows, totalOf, type FigureRows } from './tables.ts'
import css from './figures.module.css'

/** A chart, and the same as a table. */
function ChartCard({ rows, chart, children }: { rows: FigureRows; chart: ReactNode; children: ReactNode }) {
  const { figures } = useWords()
  const [view, setView] = useState<'chart' | 'table'>('chart')
  return (
    <section className={css.card} aria-label={rows.title}>
      <header className={css.cardHead}>
        <h2>{rows.title}</h2>
        <Choice
          look="segments"
          label={figures.viewOf(rows.title)}
          options={[
            { value: 'chart', label: figures.chart },
            { value: 'table', label: figures.table },
          ]}
          value={view}
          onChange={setView}
        />
      </header>
      {view === 'chart' ? chart : <FigureTable part={rows} />}
      {children}
    </section>
  )
}

export function StageChart({ stages }: { stages: StageRow[] }) {
  const words = useWords()
  const { text, isSlower } = stageSentence(words, stages)
  return (
    <ChartCard rows={stageRows(words, stages)} chart={<StageBars stages={stages} />}>
      <p className={css.matters} data-tone={isSlower ? 'warn' : 'neutral'}>
        {isSlower && <IconAlertTriangle size={16} />} {text}
      </p>
    </ChartCard>
  )
}

function StageBars({ stages }: { stages: StageRow[] }) {
  const words = useWords()
  const { figures } = words
  const longest = longestOf(stages)
  const most = Math.max(1, ...stages.flatMap(({ median, tail, before }) => [median ?? 0, tail ?? 0, before ?? 0]))
  const part = (seconds: number | null) => `${((seconds ?? 0) / most) * 100}%`
  return (
    <>
      <p className={css.legend} aria-hidden="true">
        <span data-key="median">{figures.median}</span>
        <span data-key="tail">{figures.tail}</span>
        <span data-key="before">{figures.before}</span>
      </p>
      <ul className={css.stages}>
        {stages.map((stage) => (
          <li key={stage.name} className={css.stage}>
            <span>
              {stage.name}
              <small>{stage.actor}</small>
            </span>
            <span className={css.bar} data-tone={stage === longest ? 'warn' : 'progress'} aria-hidden="true">
              <i className={css.tail} style={{ width: part(stage.tail) }} />
              <i className={css.median} style={{ width: part(stage.median) }} />
              {stage.before !== null && <i className={css.before} style={{ left: part(stage.before) }} />}
            </span>
            <span className={css.number}>
              <span className="hidden-visually">{figures.median} </span>
              <b>{span(words, stage.median)}</b>
            </span>
            <span className={css.number}>
              <span className="hidden-visually">{figures.tail} </span>
              {span(words, stage.tail)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** From the top of a column to its foot. */
const PARTS = ['closed', 'ordered', 'active', 'final'] as const
/** More columns have no room for a number above, or a label below each. */
const MOST_LABELS = 16

export function DayChart({ days }: { days: Figures['days'] }) {
  const words = useWords()
  const sentence = daySentence(words, days)
  return (
    <ChartCard rows={dayRows(words, days)} chart={<DayColumns days={days} label={sentence} />}>
      <p className={css.matters} data-tone="neutral">
        {sentence}
      </p>
    </ChartCard>
  )
}

function DayColumns({ days, label }: { days: Figures['days']; label: string }) {
  const words = useWords()
  const { figures } = words
  const top = roundUp(Math.max(...days.map(totalOf)))
  const step = Math.ceil(days.length / MOST_LABELS)
  return (
    <>
      <p className={css.legend} aria-hidden="true">
        {PARTS.toReversed().map((name) => (
          <span key={name} data-key={name}>
            {figures.states[name]}
          </span>
        ))}
        <span className={css.zone}>{times.zoneName(words)}</span>
      </p>
      <div className={css.columns} data-many={step > 1} role="img" aria-label={label}>
        {(top % 2 === 0 ? [1, 0.5] : [1]).map((part) => (
          <span key={part} className={css.level} data-half={part < 1}>
            {(top * part).toLocaleString(words.locale)}
          </span>
        ))}
        {days.map((day, index) => (
          <div key={day.date} className={css.column}>
            <div className={css.stack}>
              {step === 1 && <small>{totalOf(day) || ''}</small>}
              {PARTS.map((name) => (
                <i key={name} data-key={name} style={{ height: `${(day[name] / top) * 88}%` }} />
              ))}
            </div>
            <span className={css.dayLabel}>{index % step === 0 ? dayLabel(words, day.date, index === 0) : ''}</span>
          </div>
        ))}
      </div>
    </>
  )
}

const dayLabel = (words: Words, date: string, isFirst: boolean) =>
  isFirst || date.endsWith('-01') ? times.day(words, noonOf(date)) : String(Number(date.slice(-2)))

/** A round number at or above: 220 becomes 300. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return Math.max(1, Math.ceil(value / power) * power)
}

function daySentence(words: Words, days: Figures['days']): string {
  const { figures } = words
  const busiest = days.toSorted((a, b) => totalOf(b) - totalOf(a))[0]
  if (!busiest || totalOf(busiest) === 0) return figures.none
  if (days.reduce((sum, day) => sum + totalOf(day), 0) < FEW) return figures.tooFew
  const sentence = figures.busiest(
    times.weekday(words, noonOf(busiest.date)),
    totalOf(busiest).toLocaleString(words.locale),
  )
  const isWeekend = ({ date }: { date: string }) => [0, 6].includes(noonOf(date).getDay())
  const mean = (some: Figures['days']) => some.reduce((sum, day) => sum + totalOf(day), 0) / some.length
  const [weekend, week] = [mean(days.filter(isWeekend)), mean(days.filter((day) => !isWeekend(day)))]
  if (!(weekend >= 0 && week > 0)) return sentence
  const part = figures.percent(((weekend / week) * 100).toLocaleString(words.locale, { maximumFractionDigits: 0 }))
  return `${sentence} ${figures.weekend(part)}`
}
