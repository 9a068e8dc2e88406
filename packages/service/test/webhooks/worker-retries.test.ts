import { describe, expect, test } from 'vitest'
import { replayDelivery } from '../../src/operations/webhooks/replay.ts'
import { httpReceiver } from './receivers.ts'
import { queue, startWorker, states, TENANT, until, workingDatabase } from './working.ts'

const database = workingDatabase()

const attemptsOf = async (orderId: string) => {
  const [delivery] = await database.pool<{ tenantId: string; id: string }[]>`
    select tenant_id, id from deliveries where order_id = ${orderId}`
  return database.store.deliveryRecords.attempts(delivery!.tenantId, delivery!.id)
}

const dueIn = async (orderId: string) => {
  const [row] = await database.pool<{ seconds: number }[]>`
    select extract(epoch from due_at - now())::float8 as seconds from deliveries where order_id = ${orderId}`
  return row!.seconds
}

const answering = (status: number, headers = {}, text = '') =>
  httpReceiver((_, response) => response.writeHead(status, headers).end(text))

describe('a failed delivery (rulings 29, 30)', () => {
  test('a failed delivery is retried on schedule, then fails, with every attempt recorded', async () => {
    const receiver = await answering(500, {}, 'out of order')
    startWorker(database.store, { schedule: [0, 0.3, 0.6] })
    const { orderId } = await queue(database.store, { url: receiver.url })
    await until(async () => (await states(database.pool, orderId))['failed'] === 1)
    expect(receiver.requests).toHaveLength(3)
    const attempts = await attemptsOf(orderId)
    expect(attempts.map(({ status, excerpt }) => `${status} ${excerpt}`)).toEqual(Array(3).fill('500 out of order'))
    const [first, second, third] = attempts.map(({ at }) => at.getTime()) as [number, number, number]
    expect(second - first).toBeGreaterThanOrEqual(300)
    expect(second - first).toBeLessThan(30_000)
    expect(third - second).toBeGreaterThanOrEqual(600)
    expect(third - second).toBeLessThan(30_000)
  })

  test('a delivery that is sent again gets the whole schedule, and its attempts count on', async () => {
    const receiver = await answering(500)
    startWorker(database.store, { schedule: [0, 0.1] })
    const { orderId } = await queue(database.store, { url: receiver.url })
    const hasFailedAfter = (attempts: number) => async () =>
      (await states(database.pool, orderId))['failed'] === 1 && (await attemptsOf(orderId)).length === attempts
    await until(hasFailedAfter(2))
    const [delivery] = await database.pool<{ id: string }[]>`select id from deliveries where order_id = ${orderId}`
    await replayDelivery({ tenantId: TENANT, id: delivery!.id }, database.store)
    await until(hasFailedAfter(4))
    expect(receiver.requests.map(({ headers }) => headers['x-delivery-attempt'])).toEqual(['1', '2', '3', '4'])
    expect(await database.pool`select attempts from deliveries where order_id = ${orderId}`).toEqual([{ attempts: 4 }])
  })

  test.each([
    [503, {}, 60],
    [429, { 'Retry-After': '90' }, 90],
  ])('a delivery answered with %i waits as long as the response asks: %j', async (status, headers, seconds) => {
    const receiver = await answering(status, headers)
    startWorker(database.store)
    const { orderId } = await queue(database.store, { url: receiver.url })
    await until(async () => (await attemptsOf(orderId)).length === 1)
    expect(await dueIn(orderId)).toBeGreaterThan(seconds - 2)
    expect(await dueIn(orderId)).toBeLessThanOrEqual(seconds * 1.1)
  })

  test.each([301, 302, 307, 308])(
    'a delivery answered with the redirect %i is retried and not followed',
    async (status) => {
      const other = await httpReceiver()
      const receiver = await answering(status, { Location: other.url })
      startWorker(database.store, { schedule: [0, 60] })
      const { orderId } = await queue(database.store, { url: receiver.url })
      await until(async () => (await attemptsOf(orderId)).length === 1)
      expect(await states(database.pool, orderId)).toEqual({ waiting: 1 })
      expect(other.requests).toHaveLength(0)
    },
  )

  test('a delivery without a response or a connection records why', async () => {
    const hanging = await httpReceiver(() => {})
    startWorker(database.store, { schedule: [0], timeoutMs: 300 })
    const { orderId: late } = await queue(database.store, { url: hanging.url })
    const { orderId: refused } = await queue(database.store, { url: 'http://127.0.0.1:1/' })
    await until(async () => (await attemptsOf(late)).length + (await attemptsOf(refused)).length === 2)
    expect(await attemptsOf(late)).toMatchObject([{ status: null, error: 'timeout' }])
    expect(await attemptsOf(refused)).toMatchObject([{ status: null, error: 'connect' }])
  })
})

describe('a 410 response', () => {
  test('a 410 to an earlier registration does not end one renewed meanwhile', async () => {
    const answers: (() => void)[] = []
    const receiver = await httpReceiver((_, response) => answers.push(() => response.writeHead(410).end()))
    const { orderId, callbackId } = await queue(database.store, { url: receiver.url })
    startWorker(database.store)
    await until(() => answers.length === 1)
    const registered = { tokenId: 'hr', showsParticipant: true, at: new Date() }
    const renewal = {
      id: 'cbk_unused',
      orderId,
      version: 'v2' as const,
      callback: { url: receiver.url },
      ...registered,
    }
    const replaced = await database.store.transaction((tx) => tx.outbox.register(TENANT, renewal))
    expect(replaced).toMatchObject({ id: callbackId })
    answers[0]!()
    await until(async () => (await states(database.pool, orderId))['failed'] === 1)
    expect(await database.store.callbacks.find(TENANT, callbackId)).toMatchObject({ endedAt: null, endReason: null })
    // The answer to what is sent for the new registration counts.
    const { rows } = await database.store.deliveryRecords.list({ orderId }, { limit: 1, page: 1 })
    await database.store.deliveryRecords.replay({ id: rows[0]!.id }, { before: null, most: 1 })
    await until(() => answers.length === 2)
    answers[1]!()
    await until(async () => (await database.store.callbacks.find(TENANT, callbackId))!.endedAt !== null)
    expect(await database.store.callbacks.find(TENANT, callbackId)).toMatchObject({ endReason: 'gone' })
  })

  test('a 410 ends the registration: its other deliveries are not sent, and those of others are', async () => {
    const receiver = await answering(410)
    const { orderId } = await queue(database.store, { url: receiver.url, count: 20 })
    const { orderId: other } = await queue(database.store, { url: `${receiver.url}/other` })
    startWorker(database.store)
    await until(async () => (await states(database.pool, orderId))['failed'] === 20)
    await until(async () => (await states(database.pool, other))['failed'] === 1)
    // Two at once, to begin with: both were under way when the first was answered.
    expect(receiver.requests.filter(({ path }) => path === '/hook').length).toBeLessThanOrEqual(2)
    expect(receiver.requests.filter(({ path }) => path === '/hook/other')).toHaveLength(1)
    const ended = await database.pool`select ended_at from callbacks where order_id = ${orderId} and ended_at is null`
    expect(ended).toHaveLength(0)
    const { rows } = await database.store.deliveryRecords.list({ orderId }, { limit: 50, page: 1 })
    expect(rows).toHaveLength(20)
    for (const { attempts, lastError, lastStatus } of rows) {
      expect(attempts === 0 ? lastError : lastStatus).toBe(attempts === 0 ? 'registrationEnded' : 410)
    }
  })
})

test('a recorded attempt contains none of the registration’s secrets', async () => {
  const secrets = ['bearer-token-of-receiver', 'signing-secret-of-receiver', 'header-of-receiver']
  const receiver = await httpReceiver((request, response) => {
    response.writeHead(500).end(JSON.stringify(request.headers))
  })
  startWorker(database.store, { schedule: [0] })
  const { orderId } = await queue(database.store, {
    url: receiver.url,
    callback: {
      headers: { 'X-Key': secrets[2]! },
      auth: { type: 'bearer', token: secrets[0]!, secretKey: secrets[1]! },
    },
  })
  await until(async () => (await states(database.pool, orderId))['failed'] === 1)
  const [attempt] = await attemptsOf(orderId)
  expect(attempt!.excerpt).toContain('[removed]')
  const signature = String(receiver.requests[0]!.headers['x-signature']).split('sha256=')[1]!
  for (const secret of [...secrets, signature]) expect(JSON.stringify(attempt)).not.toContain(secret)
})
