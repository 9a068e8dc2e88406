import type { Figures } from '@order-testing/client/operator'
import type { Words } from '../../languages/en.ts'
import { share, span, type StageRow, type Tile } from './measures.ts'

/** The same rows are shown and exported. */
export interface FigureRows {
  title: string
  head: string[]
  rows: (string | number)[][]
}

export const tileRows = ({ figures }: Words, tiles: readonly Tile[]): FigureRows => ({
  title: figures.title,
  head: ['', '', ''],
  rows: tiles.map(({ label, value, change }) => [label, value, change]),
})

export const stageRows = (words: Words, stages: readonly StageRow[]): FigureRows => {
  const { figures } = words
  return {
    title: figures.turnaround,
    head: [figures.stage, figures.actor, figures.count, figures.median, figures.tail, figures.before],
    rows: stages.map(({ name, actor, count, median, tail, before }) => [
      name,
      actor,
      count,
      ...[median, tail, before].map((each) => span(words, each)),
    ]),
  }
}

export const dayRows = ({ figures }: Words, days: Figures['days']): FigureRows => ({
  title: figures.byDay,
  head: [
    figures.day,
    figures.states.final,
    figures.states.active,
    figures.states.ordered,
    figures.states.closed,
    figures.total,
  ],
  rows: days.map((day) => [day.date, day.final, day.active, day.ordered, day.closed, totalOf(day)]),
})

export const totalOf = ({ final, active, ordered, closed }: Figures['days'][number]) =>
  final + active + ordered + closed

export const laboratoryRows = (words: Words, { laboratories }: Figures): FigureRows => {
  const { figures } = words
  return {
    title: figures.laboratories,
    head: [figures.laboratory, figures.tests, figures.median, figures.shortTail],
    rows: laboratories.map(({ name, count, median, percentile90 }) => [
      name,
      count,
      span(words, median),
      span(words, percentile90),
    ]),
  }
}

/** Small counts could tell about a person: the service does not give them. */
export const positivityRows = (words: Words, { positivity }: Figures): FigureRows => {
  const { figures, testReasons } = words
  return {
    title: figures.positivity,
    head: [figures.group, figures.tests, figures.positive, figures.rate],
    rows: positivity.map(({ isDot, testReason, tests, positive }) => [
      `${isDot ? figures.dot.true : figures.dot.false}, ${(testReasons[testReason] ?? testReason).toLowerCase()}`,
      tests ?? figures.underFive,
      positive ?? figures.underFive,
      tests === null || positive === null ? figures.hidden : share(words, positive, tests),
    ]),
  }
}

export const clinicRows = (words: Words, { clinics }: Figures): FigureRows => {
  const { figures } = words
  return {
    title: figures.clinics,
    head: [figures.clinic, figures.booked, figures.noShow],
    rows: clinics.map(({ name, booked, noShow }) => [name, booked, share(words, noShow, booked)]),
  }
}

/** One part after the other, as on the page. */
export const fileRows = (parts: readonly FigureRows[]): (string | number)[][] =>
  parts.flatMap(({ title, head, rows }) => [[title], head, ...rows, []])
