import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cellsForDisk, cellsForWork, FIGURES, simulateDay } from './scaling.ts'

const plan = await readFile(new URL('../../../../docs/scaling.md', import.meta.url), 'utf8')

const rowFor = (ordersPerDay: number) => {
  const [work, disk] = [cellsForWork(ordersPerDay), cellsForDisk(ordersPerDay)]
  const { peakOrders, createUse } = simulateDay(ordersPerDay, work)
  const terabytes = (ordersPerDay * FIGURES.bytesPerOrder) / 1e12
  return `| ${ordersPerDay / 1e6} million | ${terabytes} TB | ${work} | ${Math.round(peakOrders)}, ${createUse.toFixed(2)} | ${disk} |`
}

test.each([1e6, 1e7, 3e7, 1e8])('docs/scaling.md has what the simulation of %d orders a day gives', (ordersPerDay) => {
  expect(plan).toContain(rowFor(ordersPerDay))
})

test('a cell less than the plan has at a hundred million orders a day falls behind with folding', () => {
  const cells = cellsForWork(1e8)
  expect(simulateDay(1e8, cells).longestWait).toBeLessThanOrEqual(1)
  const { mostWaiting, longestWait } = simulateDay(1e8, cells - 1)
  expect(plan).toContain(`${Math.round(mostWaiting / 1000)},000 changes`)
  expect(plan).toContain(`${Math.round(longestWait)} seconds`)
})
