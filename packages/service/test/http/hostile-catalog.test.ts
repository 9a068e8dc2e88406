import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manyClinics } from '../catalog/many-clinics.ts'
import { LAB, OPERATOR, staffed } from '../support/operator.ts'
import { SECRET, TENANT } from '../orders/given.ts'
import { send, startHostile, type HostileService } from './hostile.ts'

/** Compared in the event loop, this many would stall it for over a second. */
const MANY = 20_000
/** Between two answers of `/healthz`, the event loop may spend this much CPU on the catalog: it is not kept waiting. */
const MOST_BETWEEN_MS = 100

let service: HostileService
beforeAll(async () => {
  service = await startHostile(staffed())
}, 120_000)
afterAll(() => service.stop())

const say = (line: string) => process.stdout.write(`${line}\n`)

/** The catalog of the tests with many clinics in it. */
function largeCatalog(): string {
  const { services, clinics } = manyClinics(TENANT, MANY)
  const base = staffed() as { services: { id: string }[] }
  const known = new Set(base.services.map(({ id }) => id))
  return JSON.stringify({
    ...base,
    services: [...base.services, ...services.filter(({ id }) => !known.has(id))],
    clinics,
  })
}

/**
 * Asks for `/healthz` until the work is done. Gives what the event loop has spent at most between two answers: counted
 * in CPU and not in time, this is the same on a machine that is busy with something else.
 */
async function watched(work: Promise<unknown>): Promise<{ pings: number; longestMs: number; totalMs: number }> {
  const state = { isDone: false }
  void work.finally(() => (state.isDone = true)).catch(() => {})
  const start = await service.cpu()
  let [pings, longestMs, last] = [0, 0, start]
  while (!state.isDone) {
    expect((await send(service, { method: 'GET', path: '/healthz' })).status).toBe(200)
    const now = await service.cpu()
    longestMs = Math.max(longestMs, now - last)
    last = now
    pings += 1
    await sleep(5)
  }
  return { pings, longestMs, totalMs: last - start }
}

test(
  '/healthz is answered while a catalog with 20,000 clinics is compared, applied and read',
  { timeout: 600_000 },
  async () => {
    const body = largeCatalog()
    say(`a catalog of ${(body.length / 1024 ** 2).toFixed(0)} MiB with ${MANY} clinics`)
    const path = '/api/operator/v1/catalog'
    const requests = {
      compared: { method: 'POST', path: `${path}/diff`, body },
      applied: { method: 'PUT', path, body },
      read: { method: 'GET', path },
    }
    for (const [what, request] of Object.entries(requests)) {
      const answering = send(service, { ...request, secret: OPERATOR })
      const { pings, longestMs, totalMs } = await watched(answering)
      expect((await answering).status).toBe(200)
      say(
        `${what}: ${pings} answers of /healthz, ${longestMs.toFixed(0)} ms CPU between two at most, ${totalMs.toFixed(0)} ms in all`,
      )
      expect(longestMs).toBeLessThan(MOST_BETWEEN_MS)
    }
    const { text } = await send(service, { method: 'GET', path: '/api/v2/clinics?limit=1', secret: SECRET })
    expect((JSON.parse(text) as { total: number }).total).toBe(MANY)
  },
)

test('a report with a document is accepted while a catalog is applied', { timeout: 300_000 }, async () => {
  const applying = send(service, {
    method: 'PUT',
    path: '/api/operator/v1/catalog',
    secret: OPERATOR,
    body: largeCatalog(),
  })
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(200_000, 7)]).toString('base64')
  const report = {
    messageId: 'beside-a-catalog',
    sender: { kind: 'lab', id: 'lab-1' },
    match: { orderCode: 'ZZZZ-ZZZZ' },
    event: 'receivedAtLab',
    occurredAt: new Date().toISOString(),
    documents: [{ name: 'Result.pdf', contentType: 'application/pdf', content: pdf }],
  }
  const take = () => send(service, { path: '/api/operator/v1/results', secret: LAB, body: JSON.stringify(report) })
  const untilTaken = async () => {
    for (;;) {
      const answer = await take()
      // A busy machine may not answer in time.
      if (answer.status !== 503) return answer
    }
  }
  const taken = await Promise.race([untilTaken(), applying])
  expect(taken.status).toBe(202)
  expect((await applying).status).toBe(200)
})
