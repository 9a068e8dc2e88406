import { afterAll, beforeAll, expect, test } from 'vitest'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { TaskFinder } from '../../src/operations/tasks/find-tasks.ts'
import type { Pulse } from '../../src/store/tasks/pulse.ts'
import { invited, participantWorld, submit } from '../participants/given.ts'
import { LAB, OPERATOR } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(participantWorld())
})
afterAll(() => service.stop())

/** Opens the stream; `next` waits for an event that satisfies a condition. */
async function listen(secret = OPERATOR) {
  const closing = new AbortController()
  const response = await fetch(`${service.origin}/api/console/v1/live`, {
    headers: { authorization: `Bearer ${secret}` },
    signal: closing.signal,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (isWanted: (pulse: Pulse) => boolean): Promise<Pulse> => {
    for (;;) {
      const events = [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data]) => JSON.parse(data!) as Pulse)
      const found = events.find(isWanted)
      if (found) return found
      const { value, done } = await reader.read()
      if (done) throw new Error('The stream has ended.')
      text += value
    }
  }
  return { response, next, close: () => closing.abort(), isOver: async () => (await reader.read()).done }
}

test('operators hear of a new task and of who claims it, without asking', async () => {
  const live = await listen()
  expect(live.response.headers.get('content-type')).toBe('text/event-stream')
  const first = await live.next(() => true)
  expect(first).toMatchObject({ open: 0, results: 0, receivers: 0 })
  const { secret } = await invited(service)
  await submit(service, secret, { step: 'help', helpReason: 'tooFar' })
  await new TaskFinder(service.store, new PooledRandom()).round(new Date())
  const found = await live.next(({ open }) => open === 1)
  await service.pool`update tasks set claimed_by = 'somebody'`
  expect(await live.next(({ tasks, open }) => open === 1 && tasks !== found.tasks)).toBeDefined()
  live.close()
})

test('one who has no operator scope, or ten windows, gets no stream', async () => {
  expect((await fetch(`${service.origin}/api/console/v1/live`)).status).toBe(401)
  expect((await listen(LAB)).response.status).toBe(401)
  const windows = await Promise.all(Array.from({ length: 10 }, () => listen()))
  expect((await listen()).response.status).toBe(429)
  for (const each of windows) each.close()
  await expect.poll(async () => (await listen()).response.status).toBe(200)
})

test('a stop of the service ends the streams', async () => {
  const other = await startService()
  await other.apply(participantWorld())
  const { origin } = service
  Object.assign(service, { origin: other.origin })
  const live = await listen()
  Object.assign(service, { origin })
  await live.next(() => true)
  await other.stop()
  expect(await live.isOver()).toBe(true)
})
