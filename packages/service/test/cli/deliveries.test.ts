import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery, FullDelivery, Receiver as ReceiverEntry } from '@order-testing/contract/operator'
import { httpReceiver } from '../webhooks/receivers.ts'
import { endWork, startWorker } from '../webhooks/working.ts'
import { cancelled, created, only, SECRET, TENANT } from '../orders/given.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { OPERATOR, staffed } from '../support/operator.ts'
import { freePort, ots, PATIENT, SLOW } from '../support/processes.ts'
import { catalogFile, startService, type TestService } from '../support/service.ts'
import { commands } from './run-commands.ts'
import { halfHourOf } from '../../src/domain/webhooks/activity.ts'
import type { DeliveryRecord } from '../../src/store/webhooks/records.ts'

const SOUTH = 'south-secret-full-scope'

type Receiver = Awaited<ReturnType<typeof httpReceiver>>

let env: Record<string, string>
let service: TestService
/** Answers 200; the other one answers 500 with the credentials it was sent. */
let accepting: Receiver
let failing: Receiver
/** Delivered, failed, and delivered for another tenant, in this order. */
let first: DeliveryRecord
let second: DeliveryRecord
let foreign: DeliveryRecord

beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  env = { OTS_URL: service.origin, OTS_TOKEN: OPERATOR }
  await service.apply(staffed(), catalogFile('south'))
  accepting = await httpReceiver((_, response) => response.end('Thank you!'))
  failing = await httpReceiver((request, response) =>
    response.writeHead(500).end(`No to ${request.headers.authorization} and ${String(request.headers['x-key'])}`),
  )
  first = await deliveryTo(accepting)
  second = await deliveryTo(failing)
  foreign = await deliveryTo(accepting, { secret: SOUTH, tenantId: 'south', location: { id: 'acme-hq' } })
  await deliverAll(service)
})
afterAll(async () => {
  await endWork()
  await service.stop()
})

/** The delivery that the cancellation of a new order causes. */
async function deliveryTo(
  { url }: Receiver,
  { secret = SECRET, tenantId = TENANT, ...members }: { secret?: string; tenantId?: string; location?: object } = {},
): Promise<DeliveryRecord> {
  const callback = {
    url: `${url}?key=hidden-query`,
    headers: { 'X-Key': 'hidden-header' },
    auth: { type: 'bearer', token: 'hidden-token', secretKey: 'hidden-secret' },
  }
  const { id } = await created(service, { callback, ...members }, { secret })
  await cancelled(service, id, undefined, secret)
  return only((await service.store.deliveryRecords.list({ tenantId, orderId: id }, { limit: 2, page: 1 })).rows)
}

const originOf = ({ url }: Receiver) => new URL(url).origin
const run = (...args: string[]) => ots(['deliveries', ...args], env)
const { outputOf, errorOf } = commands(() => env, 'deliveries')

async function listIds(...args: string[]): Promise<string[]> {
  return (JSON.parse(await outputOf('list', '--json', ...args)) as { data: Delivery[] }).data.map(({ id }) => id)
}

const stateOf = async (id: string) =>
  only((await service.store.deliveryRecords.list({ id }, { limit: 2, page: 1 })).rows).state

describe('ots deliveries list', SLOW, () => {
  test('ots deliveries list shows the deliveries of its tenant, newest first, each with its last outcome', async () => {
    const lines = (await outputOf('list')).split('\n')
    const ids = lines.map((line) => /dlv_\w+/.exec(line)?.[0])
    expect(ids).toEqual([undefined, second.id, first.id, undefined, undefined, undefined])
    expect(lines[1]).toMatch(
      new RegExp(`^\\S+Z  ${second.id}  ${second.orderId}  failed +1 attempt  status 500 +v2 ${failing.url}$`),
    )
    expect(lines[4]).toBe('1 to 2 of 2 deliveries, newest first.')
  })

  test('ots deliveries list filters by order, origin, state and time', async () => {
    const [{ code } = { code: '' }] = await service.pool<{ code: string }[]>`
      select code from orders where id = ${first.orderId}`
    const found: [args: string[], ids: string[]][] = [
      [['--order', first.orderId], [first.id]],
      [['--order', code.toLowerCase()], [first.id]],
      [['--order', foreign.orderId], []],
      [['--origin', `${originOf(accepting).toUpperCase()}/any/path`], [first.id]],
      [['--state', 'failed'], [second.id]],
      [['--from', second.createdAt.toISOString()], [second.id]],
      [['--to', second.createdAt.toISOString()], [first.id]],
      [['--state', 'delivered', '--origin', originOf(accepting)], [first.id]],
    ]
    expect(await Promise.all(found.map(([args]) => listIds(...args)))).toEqual(found.map(([, ids]) => ids))
    expect(await outputOf('list', '--state', 'held')).toBe('No deliveries found.\n')
  })

  test('ots deliveries list prints pages, and says when there is none', async () => {
    expect(JSON.parse(await outputOf('list', '--json', '--limit', '1', '--page', '2'))).toMatchObject({
      data: [{ id: first.id, state: 'delivered', lastStatus: 200 }],
      limit: 1,
      page: 2,
      total: 2,
      isMore: false,
    })
    expect(await outputOf('list', '--page', '9')).toBe('There are 2 deliveries, but none on page 9.\n')
  })

  test.concurrent.each([
    ['--state', 'lost', 'Allowed choices are waiting, sending, held, delivered, failed.'],
    ['--origin', 'hooks.example.com', 'Expected an address such as https://hooks.example.com.'],
    ['--origin', 'hooks.example.com:8080', 'Expected an address such as https://hooks.example.com.'],
    ['--from', 'yesterday', 'Expected a time'],
    ['--limit', '0', 'Expected a number from 1 to 20.'],
  ])('ots deliveries list rejects %s %s', async (option, value, reason) => {
    const { code, stderr } = await run('list', option, value)
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)])
  })
})

describe('ots deliveries show', () => {
  test('ots deliveries show prints every attempt with its response, and no secret', async () => {
    const text = await outputOf('show', second.id)
    expect(text).toMatch(new RegExp(`^Delivery +${second.id}\nOrder +${second.orderId}\n`))
    expect(text).toContain(`${failing.url} (v2)\n`)
    expect(text).toMatch(
      /\nState +failed \S+Z\n\n1 attempt, oldest first:\n\n1 {2}\S+Z {2}\d+ ms {2}status 500 {2}No to /,
    )
    expect(text).toContain(`\n\nWhat is sent, without secrets:\n\nPOST ${failing.url}\n`)
    expect(text).toMatch(
      /\nX-Delivery-Attempt: 1\nX-Key: \[removed\]\nAuthorization: \[removed\]\n[^]*"type":"order.updated"/,
    )
    expect(text).not.toContain('hidden')
    const json = await outputOf('show', second.id, '--json')
    expect(JSON.parse(json) as FullDelivery).toMatchObject({
      id: second.id,
      attempts: 1,
      log: [{ status: 500, error: null }],
    })
    expect(json).not.toContain('hidden')
  })

  test('ots deliveries show refuses an unknown delivery, and one of another tenant', async () => {
    expect(await errorOf('show', 'dlv_none')).toMatch(/^The service refused this: 404 Not Found\n/)
    expect(await errorOf('show', foreign.id)).toMatch(/^The service refused this: 404 Not Found\n/)
  })
})

describe('ots deliveries replay', SLOW, () => {
  // What the last test replays would be sent during a later one.
  afterAll(() => deliverAll(service))

  test('ots deliveries replay sends a delivery again, with the same bytes', async () => {
    const delivery = await deliveryTo(accepting)
    expect(await errorOf('replay', delivery.id)).toContain(
      `Delivery "${delivery.id}" has not ended yet: it will be sent anyway. (invalidState)\n`,
    )
    await deliverAll(service)
    expect(await errorOf('replay', delivery.id)).toBe(
      `Delivery ${delivery.id} was delivered. Send it once more?\nNothing was done. Add --yes to confirm without a terminal.\n`,
    )
    expect(await outputOf('replay', delivery.id, '--yes')).toBe(`Replaying delivery ${delivery.id}.\n`)
    expect(await stateOf(delivery.id)).toBe('held')
    await deliverAll(service)
    const [sent, again] = accepting.requests.slice(-2)
    expect(again!.body.equals(sent!.body)).toBe(true)
    expect(await outputOf('show', delivery.id)).toContain('2 attempts, oldest first:')
  })

  test('ots deliveries replay refuses unknown deliveries, ended callbacks and deleted content', async () => {
    const [ended, forgotten] = [await deliveryTo(accepting), await deliveryTo(accepting)]
    await deliverAll(service)
    await service.pool`update callbacks set ended_at = now() where order_id = ${ended.orderId}`
    await service.pool`update deliveries set body = null where id = ${forgotten.id}`
    expect(await errorOf('replay', 'dlv_none')).toContain('404 Not Found')
    expect(await errorOf('replay', ended.id, '--yes')).toContain(
      `Delivery "${ended.id}" cannot be replayed: its callback has ended. (invalidState)\n`,
    )
    expect(await errorOf('replay', forgotten.id, '--yes')).toContain(
      `Delivery "${forgotten.id}" cannot be replayed: what was sent is deleted after 30 days. (invalidState)\n`,
    )
    const waiting = await deliveryTo(accepting)
    expect(await outputOf('replay', '--yes', '--from', ended.createdAt.toISOString())).toBe(
      'Replaying 0 deliveries. Skipped: 1 not ended yet, 1 whose callback has ended, 1 deleted after 30 days.\n',
    )
    expect([await stateOf(ended.id), await stateOf(forgotten.id)]).toEqual(['delivered', 'delivered'])
    await deliverAll(service)
    expect(await errorOf('replay', '--order', waiting.orderId)).toContain(
      '1 delivery was delivered before. Send it once more?\nNothing was done.',
    )
    expect(await outputOf('replay', '--yes', '--order', waiting.orderId)).toBe('Replaying 1 delivery.\n')
  })

  test('ots deliveries replay sends all of an order, an origin or a time range, and counts them', async () => {
    const replay = async (...args: string[]) => {
      await deliverAll(service)
      return { output: await outputOf('replay', '--yes', ...args), held: await listIds('--state', 'held') }
    }
    expect(await replay('--order', first.orderId)).toEqual({ output: 'Replaying 1 delivery.\n', held: [first.id] })
    expect(await replay('--origin', originOf(failing))).toMatchObject({ held: [second.id] })
    expect(await stateOf(foreign.id)).toBe('delivered')
    const to = new Date(second.createdAt.getTime() + 1).toISOString()
    expect(await replay('--to', to)).toEqual({ output: 'Replaying 2 deliveries.\n', held: [second.id, first.id] })
    expect(await replay('--to', to, '--state', 'failed')).toMatchObject({ held: [second.id] })
  })

  test('ots deliveries replay requires a selection: an id or options, not both', async () => {
    const nothing = 'Select what to replay: the id of a delivery, --order, --origin, --from or --to.\n'
    expect(await errorOf('replay')).toBe(nothing)
    expect(await errorOf('replay', '--state', 'failed')).toBe(nothing)
    const both = await run('replay', first.id, '--order', first.orderId)
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('not both')])
    const open = await run('replay', '--state', 'waiting', '--order', first.orderId)
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('Allowed choices are delivered, failed.')])
  })
})

describe('ots deliveries pause and resume', SLOW, () => {
  beforeEach(() => service.pool`delete from receivers`)

  test('a running worker holds paused deliveries, and sends them when the receiver is resumed', async () => {
    const origin = originOf(accepting)
    const paused = await outputOf('pause', accepting.url)
    expect(paused).toMatch(new RegExp(`^Deliveries to ${origin} are paused since \\S+Z\\.\n$`))
    expect(await outputOf('pause', origin)).toBe(paused)
    const { stop } = startWorker(service.store)
    const held = await deliveryTo(accepting)
    const other = await deliveryTo(accepting, { secret: SOUTH, tenantId: 'south', location: { id: 'acme-hq' } })
    await expect.poll(() => stateOf(held.id), PATIENT).toBe('held')
    await expect.poll(() => stateOf(other.id), PATIENT).toBe('delivered')
    expect(await outputOf('receivers')).toMatch(
      new RegExp(
        `^${origin}  +paused since \\S+Z +0 failures  \\d+ delivered, 0 failed(, p95 \\d+ ms)?  1 held  0 waiting  oldest \\d+ (s|min)$`,
        'm',
      ),
    )
    expect(await outputOf('resume', origin)).toBe(`Deliveries to ${origin} are resumed.\n`)
    await expect.poll(() => stateOf(held.id), PATIENT).toBe('delivered')
    await stop()
    expect(await outputOf('resume', origin)).toBe(`Deliveries to ${origin} are resumed.\n`)
    expect(await outputOf('receivers')).not.toContain(origin)
  })

  test('ots deliveries pause takes an origin that nothing was sent to, with a warning', async () => {
    const { code, stdout, stderr } = await run('pause', 'https://HOOKS.example.com:443/in')
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(/^Deliveries to https:\/\/hooks\.example\.com are paused since /),
      'Nothing was ever sent to this origin. Is it spelled correctly?\n',
    ])
    expect(await outputOf('resume', 'https://hooks.example.com')).toContain('are resumed')
  })

  test('ots deliveries receivers shows an open circuit breaker, which resume closes', async () => {
    const receiver = { tenantId: TENANT, origin: originOf(failing) }
    const openUntil = new Date(Date.now() + 600_000)
    await service.store.receivers.setBreaker(receiver, { failures: 7, openUntil, breakSeconds: 600 })
    await service.pool`delete from receiver_half_hours`
    const attempt = { ...receiver, beganAt: halfHourOf(new Date()), delivered: 0, failed: 1, attemptedAt: new Date() }
    await service.store.receiverActivity.add([{ ...attempt, deliveredAt: null, sentV1At: null }])
    const listed = (await outputOf('receivers')).replace(/p95 \d+ ms/, 'p95 5 ms')
    expect(listed.split('\n').slice(1).join('\n')).toBe(
      `${receiver.origin}  open until ${openUntil.toISOString()}  7 failures  0 delivered, 1 failed, p95 5 ms  0 held  0 waiting\n\n` +
        '1 to 1 of 1 receiver, by origin.\n',
    )
    const { data } = JSON.parse(await outputOf('receivers', '--json')) as { data: ReceiverEntry[] }
    const backlog = { held: 0, waiting: 0, oldestAt: null }
    const breaker = { state: 'open', openUntil: openUntil.toISOString(), failures: 7 }
    expect(data).toMatchObject([{ origin: receiver.origin, ...breaker, ...backlog }])
    expect(await outputOf('resume', receiver.origin)).toContain('are resumed')
    expect(await outputOf('receivers')).toBe('No receiver is paused or failing.\n')
  })

  test('pause, resume and replay are in the audit log with the token that was used', async () => {
    const origin = originOf(accepting)
    const before = (await service.store.audit.page(TENANT, { limit: 1, page: 1 })).total
    await outputOf('pause', origin)
    await outputOf('resume', origin)
    await deliverAll(service)
    await outputOf('replay', first.id, '--yes')
    const { rows, total } = await service.store.audit.page(TENANT, { limit: 20, page: 1 })
    expect(rows.slice(0, total - before).map(({ action, tokenId }) => [action, tokenId])).toEqual([
      ['delivery.replay', 'operator'],
      ['receiver.resume', 'operator'],
      ['receiver.pause', 'operator'],
    ])
  })
})

test('every ots deliveries command calls the service, and says where it looked for it', async () => {
  const nowhere = { OTS_URL: `http://127.0.0.1:${await freePort()}`, OTS_TOKEN: OPERATOR }
  const calls = [['list'], ['show', 'dlv_1'], ['replay', 'dlv_1'], ['receivers'], ['pause', 'https://a.example']]
  const ended = await Promise.all(calls.map((args) => ots(['deliveries', ...args], nowhere)))
  for (const { code, stderr } of ended)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Cannot reach the service at ${nowhere.OTS_URL}`)])
})
