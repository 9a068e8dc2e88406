import { expect, test } from 'vitest'
import { Lane } from '../../src/webhooks/lane.ts'
import { Slots } from '../../src/webhooks/slots.ts'

const laneOf = (origin: string) => new Lane({ tenantId: 'north', origin })

test('a receiver whose request takes longer than a second is slow', () => {
  const [slots, lane, from] = [new Slots(), laneOf('https://slow.example.com'), performance.now()]
  slots.take(lane, from)
  for (let ms = 250; ms < 1_000; ms += 250) expect(slots.sweep(from + ms)).toEqual(new Set())
  expect(slots.sweep(from + 1_000)).toEqual(new Set([lane]))
  expect(lane.isSlow).toBe(true)
})

test('a receiver is not slow because this process was stalled', () => {
  const [slots, lane, from] = [new Slots(), laneOf('https://well.example.com'), performance.now()]
  slots.take(lane, from)
  slots.sweep(from + 250)
  const later = from + 20_000
  expect(slots.sweep(later)).toEqual(new Set())
  expect(slots.sweep(later + 250)).toEqual(new Set())
  expect(lane.isSlow).toBe(false)
  for (let ms = 500; ms < 1_000; ms += 250) slots.sweep(later + ms)
  expect(slots.sweep(later + 1_000)).toEqual(new Set([lane]))
})
