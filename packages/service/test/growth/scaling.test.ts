import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  cellsForDisk,
  cellsForTwoCores,
  cellsForWork,
  FIGURES,
  simulateDay,
  totalUse,
  WORK,
  type Work,
} from './scaling.ts'

const read = (name: string) => readFile(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
const plan = await read('scaling.md')
const measured = (await read('performance.md')).split('### x64')[1]!.split('### arm64')[0]!

/** What the plan is made for, and a cell less than its work needs. */
const MOST = 1e8
const TOO_FEW = cellsForWork(MOST) - 1

const written = (n: number) => Math.round(n).toLocaleString('en-US')

const rowFor = (ordersPerDay: number) => {
  const { peakOrders } = simulateDay(ordersPerDay, 1)
  const terabytes = (ordersPerDay * FIGURES.bytesPerOrder) / 1e12
  const cells = [cellsForWork, cellsForTwoCores, cellsForDisk].map((count) => count(ordersPerDay))
  return `| ${[`${ordersPerDay / 1e6} million`, written(peakOrders), `${terabytes} TB`, ...cells].join(' | ')} |`
}

test.each([1e6, 1e7, 3e7, MOST])('docs/scaling.md has what the simulation of %d orders a day gives', (ordersPerDay) => {
  expect(plan).toContain(rowFor(ordersPerDay))
})

test('docs/scaling.md has the share that each work takes of its rate, most first', () => {
  const days = [TOO_FEW, cellsForDisk(MOST)].map((cells) => simulateDay(MOST, cells))
  const [few] = days
  const rows = WORK.toSorted((a, b) => few![b].use - few![a].use).map((work) => {
    const perSecond = simulateDay(MOST, 1).peakOrders * FIGURES.perOrder[work]
    return `| ${work} | ${written(perSecond)} | ${days.map((day) => day[work].use.toFixed(2)).join(' | ')} |`
  })
  const all = `| all | | ${days.map((day) => totalUse(day).toFixed(2)).join(' | ')} |`
  expect(plan).toContain([...rows, all].join('\n'))
  expect(plan).toContain(`| in ${TOO_FEW} cells | in ${cellsForDisk(MOST)} cells |`)
})

test('a cell less than the plan has at a hundred million orders a day falls behind with results, and with nothing else', () => {
  const late = (cells: number) => WORK.filter((work) => simulateDay(MOST, cells)[work].longestWait > 1)
  expect([late(TOO_FEW + 1), late(TOO_FEW)]).toEqual([[], ['results']])
  const { mostWaiting, longestWait } = simulateDay(MOST, TOO_FEW).results
  const reports = `${written(mostWaiting / 1000)},000 reports wait at the end of the busy hours`
  expect(plan).toContain(
    `With ${TOO_FEW} cells instead of ${TOO_FEW + 1}, ${reports}, the last of them for ${written(longestWait)} seconds.`,
  )
  expect(late(5)).toEqual(['results'])
  expect(late(4)).toEqual(expect.arrayContaining<Work>(['creates', 'deliveries', 'results']))
  expect(plan).toContain('Deliveries, creates and folding keep up with 5 cells.')
})

test('a single tenant fits into a cell up to the number of orders that docs/scaling.md names', () => {
  expect(plan).toContain('all the work of 2.9 million orders a day')
  expect([cellsForTwoCores(2.9e6), cellsForTwoCores(3e6)]).toEqual([1, 2])
  expect(plan).toContain('room for 2.4 million')
  expect([cellsForDisk(2.4e6), cellsForDisk(2.5e6)]).toEqual([1, 2])
})

test.each([
  ['creates', /beside ([\d,]+) creates\/s/],
  ['results', /\| take a result that moves its order \|[^|]*\| ([\d,]+)\/s/],
  ['deliveries', /\| signed deliveries to 1,000 receivers \|[^|]*\| ([\d,]+)\/s/],
  ['folding', /\| changes folded \|[^|]*\| ([\d,]+)\/s/],
] as const)('the rate of %s is about that of docs/performance.md', (work, pattern) => {
  const rate = Number(pattern.exec(measured)![1]!.replaceAll(',', ''))
  // Runs of a benchmark differ.
  expect(FIGURES.perSecond[work] / rate).toBeGreaterThan(0.75)
  expect(FIGURES.perSecond[work] / rate).toBeLessThan(1.25)
  expect(plan).toContain(`| ${written(FIGURES.perSecond[work])} `)
})
