import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryRecord } from '../../src/store/webhooks/records.ts'
import { httpReceiver } from '../webhooks/receivers.ts'
import { endWork, startWorker } from '../webhooks/working.ts'
import { cancelled, created, only, SECRET, TENANT, world } from '../orders/given.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { ots } from '../support/processes.ts'
import { TEST_KEY, catalogFile, startService, urlOf, type TestService } from '../support/service.ts'

const SOUTH = 'south-secret-full-scope'

type Receiver = Awaited<ReturnType<typeof httpReceiver>>

let folder: string
let env: Record<string, string>
let service: TestService
/** Takes what it gets; the other one refuses, and tells what it was sent. */
let taking: Receiver
let refusing: Receiver
/** Delivered, failed, and delivered for another tenant, in this order. */
let first: DeliveryRecord
let second: DeliveryRecord
let third: DeliveryRecord

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ots-deliveries-'))
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  env = {
    OTS_DATA_DIR: join(folder, 'data'),
    DATABASE_URL: urlOf(service.target),
    OTS_KEYS: `${TEST_KEY.id}:${TEST_KEY.secret}`,
  }
  await service.apply(world(), catalogFile('south'))
  taking = await httpReceiver((_, response) => response.end('Thank you!'))
  refusing = await httpReceiver((request, response) =>
    response.writeHead(500).end(`No to ${request.headers.authorization} and ${String(request.headers['x-key'])}`),
  )
  first = await reported(taking)
  second = await reported(refusing)
  third = await reported(taking, { secret: SOUTH, tenantId: 'south', location: { id: 'acme-hq' } })
  await deliverAll(service)
})
afterAll(async () => {
  await endWork()
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The delivery of a change of a new order. */
async function reported(
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
const run = (...words: string[]) => ots(['deliveries', ...words], env)

async function listed(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run('list', '--json', ...words)
  expect([code, stderr]).toEqual([0, ''])
  return (JSON.parse(stdout) as { data: DeliveryRecord[] }).data.map(({ id }) => id)
}

/** What a command has to say, one that succeeds. */
async function said(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...words)
  expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
  return stdout
}

const refused = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(...words)
  expect({ words, code, stdout }).toEqual({ words, code: 1, stdout: '' })
  return stderr
}

const stateOf = async (id: string) =>
  only((await service.store.deliveryRecords.list({ id }, { limit: 2, page: 1 })).rows).state

describe('ots deliveries list', () => {
  test('shows the newest first, each with its outcome', async () => {
    const lines = (await said('list')).split('\n')
    expect(lines.map((line) => /dlv_\w+/.exec(line)?.[0])).toEqual([
      third.id,
      second.id,
      first.id,
      undefined,
      undefined,
      undefined,
    ])
    expect(lines[1]).toMatch(
      new RegExp(
        `^\\S+Z  north  ${second.id}  ${second.orderId}  failed +1 attempt  answered 500  v2 ${refusing.url}$`,
      ),
    )
    expect(lines[4]).toBe('1 to 3 of 3 deliveries, newest first.')
  })

  test('finds by tenant, order, origin, state and time', async () => {
    const [{ code } = { code: '' }] = await service.pool<{ code: string }[]>`
      select code from orders where id = ${first.orderId}`
    const found: [words: string[], ids: string[]][] = [
      [['--tenant', 'south'], [third.id]],
      [['--order', first.orderId], [first.id]],
      [['--order', code.toLowerCase()], [first.id]],
      [
        ['--origin', `${originOf(taking).toUpperCase()}/any/path`],
        [third.id, first.id],
      ],
      [['--state', 'failed'], [second.id]],
      [
        ['--from', second.createdAt.toISOString()],
        [third.id, second.id],
      ],
      [['--to', second.createdAt.toISOString()], [first.id]],
      [['--tenant', TENANT, '--state', 'delivered', '--origin', originOf(taking)], [first.id]],
    ]
    expect(await Promise.all(found.map(([words]) => listed(...words)))).toEqual(found.map(([, ids]) => ids))
    expect(await said('list', '--state', 'held')).toBe('No deliveries match.\n')
  })

  test('gives pages, and says when one lies behind the last', async () => {
    expect(JSON.parse(await said('list', '--json', '--limit', '2', '--page', '2'))).toMatchObject({
      data: [{ id: first.id, state: 'delivered', lastStatus: 200 }],
      limit: 2,
      page: 2,
      total: 3,
      isMore: false,
    })
    expect(await said('list', '--page', '9')).toBe('Page 9 is empty: there are 3 deliveries.\n')
  })

  test.concurrent.each([
    ['--state', 'lost', 'Allowed choices are waiting, sending, held, delivered, failed.'],
    ['--origin', 'hooks.example.com', 'Expected an address such as https://hooks.example.com.'],
    ['--origin', 'hooks.example.com:8080', 'Expected an address such as https://hooks.example.com.'],
    ['--from', 'yesterday', 'Expected a time'],
    ['--limit', '0', 'Expected a number from 1 to 1000.'],
  ])('does not take %s %s', async (option, value, reason) => {
    const { code, stderr } = await run('list', option, value)
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)])
  })
})

describe('ots deliveries show', () => {
  test('shows every attempt with what came back, and no secret', async () => {
    const text = await said('show', second.id)
    expect(text).toMatch(new RegExp(`^Delivery +${second.id}\nTenant +north\nOrder +${second.orderId}\n`))
    expect(text).toContain(`${refusing.url} (v2)\n`)
    expect(text).toMatch(
      /\nState +failed \S+Z\n\n1 attempt, first to last:\n\n\S+Z {2}\d+ ms {2}answered 500 {2}No to /,
    )
    expect(text).not.toContain('hidden')
    const json = await said('show', second.id, '--json')
    expect(JSON.parse(json)).toMatchObject({ id: second.id, attempts: 1, log: [{ status: 500, error: null }] })
    expect(json).not.toContain('hidden')
  })

  test('says that there is no such delivery, or not in this tenant', async () => {
    expect(await refused('show', 'dlv_none')).toBe('No delivery "dlv_none".\n')
    expect(await refused('show', first.id, '--tenant', 'south')).toBe(`No delivery "${first.id}" in tenant "south".\n`)
  })
})

describe('ots deliveries replay', () => {
  test('sends one again, with the same bytes', async () => {
    const delivery = await reported(taking)
    expect(await refused('replay', delivery.id)).toBe(
      `Delivery "${delivery.id}" cannot be replayed: it is still being delivered.\n`,
    )
    await deliverAll(service)
    expect(await said('replay', delivery.id)).toBe(`Delivery "${delivery.id}" is being sent again.\n`)
    expect(await stateOf(delivery.id)).toBe('held')
    await deliverAll(service)
    const [sent, again] = taking.requests.slice(-2)
    expect(again!.body.equals(sent!.body)).toBe(true)
    expect(await said('show', delivery.id)).toContain('2 attempts, first to last:')
  })

  test('refuses what is unknown, ended by its receiver, or forgotten', async () => {
    const [ended, forgotten] = [await reported(taking), await reported(taking)]
    await deliverAll(service)
    await service.pool`update callbacks set ended_at = now() where order_id = ${ended.orderId}`
    await service.pool`update deliveries set body = null where id = ${forgotten.id}`
    expect(await refused('replay', 'dlv_none')).toBe('No delivery "dlv_none".\n')
    expect(await refused('replay', ended.id)).toBe(
      `Delivery "${ended.id}" cannot be replayed: its registration has ended.\n`,
    )
    expect(await refused('replay', forgotten.id)).toBe(
      `Delivery "${forgotten.id}" cannot be replayed: its body was deleted after 30 days.\n`,
    )
    const waiting = await reported(taking)
    expect(await said('replay', '--from', ended.createdAt.toISOString())).toBe(
      'No deliveries are sent again. Not replayed: 1 still being delivered, 1 whose registration has ended, 1 deleted after 30 days.\n',
    )
    expect([await stateOf(ended.id), await stateOf(forgotten.id)]).toEqual(['delivered', 'delivered'])
    await deliverAll(service)
    expect(await said('replay', '--order', waiting.orderId)).toBe('1 delivery is sent again.\n')
  })

  test('sends all of an order, an origin or a span of time, and says how many', async () => {
    const again = async (...words: string[]) => {
      await deliverAll(service)
      return { told: await said('replay', ...words), held: await listed('--state', 'held') }
    }
    expect(await again('--order', first.orderId)).toEqual({
      told: '1 delivery is sent again.\n',
      held: [first.id],
    })
    expect(await again('--origin', originOf(taking), '--tenant', 'south')).toMatchObject({ held: [third.id] })
    const to = new Date(second.createdAt.getTime() + 1).toISOString()
    expect(await again('--to', to)).toEqual({ told: '2 deliveries are sent again.\n', held: [second.id, first.id] })
    expect(await again('--to', to, '--state', 'failed')).toMatchObject({ held: [second.id] })
  })

  test('wants to be told what, and either one or several', async () => {
    const nothing = 'Select what to replay: a delivery, an order, an origin or a time range.\n'
    expect(await refused('replay')).toBe(nothing)
    expect(await refused('replay', '--tenant', TENANT, '--state', 'failed')).toBe(nothing)
    const both = await run('replay', first.id, '--order', first.orderId)
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('not both')])
    const open = await run('replay', '--state', 'waiting', '--order', first.orderId)
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('Allowed choices are delivered, failed.')])
  })
})

describe('ots deliveries pause and resume', () => {
  beforeEach(() => service.pool`delete from receivers`)

  test('a running worker keeps back what is paused, and sends it when it is resumed', async () => {
    const origin = originOf(taking)
    const north = ['--tenant', TENANT]
    expect(await said('pause', taking.url, ...north)).toBe(`Deliveries of tenant "north" to ${origin} are paused.\n`)
    expect(await said('pause', origin, ...north)).toBe(
      `Deliveries of tenant "north" to ${origin} were already paused.\n`,
    )
    const { stop } = startWorker(service.store)
    const kept = await reported(taking)
    const other = await reported(taking, { secret: SOUTH, tenantId: 'south', location: { id: 'acme-hq' } })
    await expect.poll(() => stateOf(kept.id)).toBe('held')
    await expect.poll(() => stateOf(other.id)).toBe('delivered')
    expect(await said('receivers')).toMatch(
      new RegExp(`^north  ${origin}  +paused since \\S+Z +0 failures  1 held  0 waiting  oldest \\d+ (s|min)$`, 'm'),
    )
    expect(await said('resume', origin, ...north)).toBe(`Deliveries of tenant "north" to ${origin} are resumed.\n`)
    await expect.poll(() => stateOf(kept.id), { timeout: 5_000 }).toBe('delivered')
    await stop()
    expect(await said('resume', origin, ...north)).toBe(`Deliveries of tenant "north" to ${origin} were not held.\n`)
    expect(await said('receivers')).not.toContain(origin)
  })

  test('want the tenant where several use the origin, and take the only one else', async () => {
    expect(await refused('pause', originOf(taking))).toBe('Several tenants use this origin. Name one: north, south.\n')
    expect(await refused('pause', originOf(taking), '--tenant', 'west')).toBe('Unknown tenant "west".\n')
    expect(await said('pause', originOf(refusing))).toContain('tenant "north"')
    expect(await said('resume', originOf(refusing))).toContain('are resumed')
    expect(await refused('resume', 'https://unknown.example.com')).toBe(
      'Several tenants use this origin. Name one: north, south.\n',
    )
  })

  test('an origin that nothing was sent to may be paused, with a warning', async () => {
    const { code, stdout, stderr } = await run('pause', 'https://HOOKS.example.com:443/in', '--tenant', TENANT)
    expect([code, stdout, stderr]).toEqual([
      0,
      'Deliveries of tenant "north" to https://hooks.example.com are paused.\n',
      'Nothing was ever sent to this origin. Check its spelling.\n',
    ])
    expect(await said('resume', 'https://hooks.example.com')).toContain('are resumed')
  })

  test('resume ends the break that failures have brought about', async () => {
    const receiver = { tenantId: TENANT, origin: originOf(refusing) }
    const openUntil = new Date(Date.now() + 600_000)
    await service.store.receivers.setBreaker(receiver, { failures: 7, openUntil, closedFor: 600 })
    expect(await said('receivers', '--tenant', 'south')).toBe('No receiver is paused or failing.\n')
    expect(await said('receivers')).toBe(
      `north  ${receiver.origin}  open until ${openUntil.toISOString()}  7 failures  0 held  0 waiting\n`,
    )
    expect(JSON.parse(await said('receivers', '--json'))).toMatchObject([
      {
        ...receiver,
        state: 'open',
        openUntil: openUntil.toISOString(),
        failures: 7,
        held: 0,
        waiting: 0,
        oldestAt: null,
      },
    ])
    expect(await said('resume', receiver.origin)).toContain('are resumed')
    expect(await said('receivers')).toBe('No receiver is paused or failing.\n')
  })
})
