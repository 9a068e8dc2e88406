import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchOrders } from '@order-testing/contract/operator'
import type { Order } from '../../src/domain/orders/order.ts'
import { changeOrders } from '../../src/operations/orders/change.ts'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { plainTextSealer } from '../../src/operations/sealing/seal-plain-text.ts'
import { refusalOf } from '../http/answers.ts'
import { searchHashes } from '../../src/store/orders/rows.ts'
import { startService, testKeyring, type TestService } from '../support/service.ts'
import { copyOrder } from '../support/copies.ts'
import { applied, DISCREET_OPERATOR, messageAbout, operate, staffed } from '../support/operator.ts'
import { created, GLOBEX, PERSON, rewrite, TENANT } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const search = (q: string, secret?: string) => operate(service, 'POST', '/orders/searches', { q }, secret)
const found = async (q: string): Promise<string[]> => (await hitsOf(q)).map(({ order }) => order.id)
const hitsOf = async (q: string) => searchOrders.reply.parse((await search(q)).body).data

const placed = (participant: object, members: object = {}) =>
  created(service, { participant: { ...PERSON, ...participant }, ...members })

describe('search of orders', () => {
  test('operators search orders by name, birth date, e-mail address and phone number of a participant, who is shown masked', async () => {
    const contacts = { birthDate: '1971-11-23', email: 'zora@example.com', phone: '6305550171' }
    const order = await placed({ firstName: 'Zora', lastName: 'Quimby', ...contacts })
    for (const [q, matchedOn] of [
      ['quimby zora', ['firstName', 'lastName']],
      ['Quimbie', ['lastName']],
      ['11/23/1971', ['birthDate']],
      ['ZORA@example.com', ['email']],
      ['(630) 555-0171', ['phone']],
      ['Zora 630-555-0171', ['firstName', 'phone']],
    ] as const)
      expect({ q, hits: await hitsOf(q) }).toMatchObject({ q, hits: [{ order: { id: order.id }, matchedOn }] })
    const [hit] = await hitsOf('quimby')
    expect(hit!.order.participant).toEqual({
      address: null,
      birthDate: null,
      email: null,
      firstName: 'Zora',
      lastName: 'Q.',
      middleName: null,
      phone: null,
    })
    expect(await found('zora miller')).toEqual([])
  })

  test('operators search orders by the beginning of a code, of an external id and of a specimen id, and by id', async () => {
    const order = await placed({}, { externalId: 'HRX-90001' })
    await applied(service, messageAbout(order, { kind: 'collector', event: 'checkedIn' }))
    await applied(
      service,
      messageAbout(order, { kind: 'collector', event: 'collected', specimen: { id: 'SPC-771-002' } }),
    )
    for (const q of [order.id, order.code, order.code.slice(0, 6), 'hrx90', 'HRX-90001', 'spc-771'])
      expect([q, await found(q)]).toEqual([q, [order.id]])
    expect(await found('SPC-772')).toEqual([])
  })

  test('a search covers every company; equal names come before those that sound alike, newer orders before older ones', async () => {
    const alike = await placed({ lastName: 'Wassermann' })
    const older = await placed({ lastName: 'Waserman' })
    const newer = await created(
      service,
      { location: { id: 'globex-hq' }, participant: { ...PERSON, lastName: 'Waserman' } },
      { secret: GLOBEX },
    )
    expect(await found('waserman')).toEqual([newer.id, older.id, alike.id])
    const { body } = await operate(service, 'POST', '/orders/searches', { q: 'waserman', limit: 1 })
    expect(body).toMatchObject({ data: [{ order: { id: newer.id } }], limit: 1, isMore: true })
  })

  test.each([
    ['candidate-alpha-beta', 'candidate-al'],
    ['case@2026.example', 'case@2026'],
    ['2026-01-31', '2026-01-31'],
    ['ord_of-ours', 'ord_of'],
    ['EMP_JONES', 'emp_jo'],
    ['CASE 2026 001 north', 'case 2026 0'],
  ])(
    'an external id of several words, or that looks like something else (%s), is found by its beginning',
    async (externalId, beginning) => {
      const { id } = await placed({}, { externalId })
      expect([await found(externalId), await found(beginning)]).toEqual([[id], [id]])
    },
  )

  test('an identifier that is entered as a whole comes before newer ones that begin like it', async () => {
    const whole = await placed({}, { externalId: 'PFX-1' })
    for (const externalId of ['PFX-10', 'PFX-11']) await placed({}, { externalId })
    const { body } = await operate(service, 'POST', '/orders/searches', { q: 'pfx-1', limit: 1 })
    expect(body).toMatchObject({ data: [{ order: { id: whole.id } }], isMore: true })
  })

  test('a search for a name shows an old order although many newer ones only share its hash', async () => {
    const order = await placed({ lastName: 'Collidona' })
    const other = await placed({ lastName: 'Different' })
    const newer = Array.from({ length: 30 }, (_, n) => ({ id: `ord_7${n}`, code: `CLD${n}` }))
    await copyOrder(service, TENANT, other.id, newer)
    await addKeys('name collidona', 'ord_7', 30)
    const { body } = await operate(service, 'POST', '/orders/searches', { q: 'collidona', limit: 10 })
    expect(body).toMatchObject({ data: [{ order: { id: order.id } }], isMore: false })
  })

  test('a search for two common names shows an order that is older than thousands with either of them', async () => {
    const order = await placed({ firstName: 'Commona', lastName: 'Frequentin' })
    const other = await placed({ lastName: 'Different' })
    // Two later periods, which are searched only if they have an order.
    await copyOrder(service, TENANT, other.id, [
      { id: 'ord_8zzzx', code: 'LATER8' },
      { id: 'ord_9zzzx', code: 'LATER9' },
    ])
    await addKeys('name commona', 'ord_8zzz', 2_500)
    await addKeys('name frequentin', 'ord_9zzz', 2_500)
    for (const text of ['commona frequentin', 'frequentin commona']) expect(await found(text)).toEqual([order.id])
  })

  test('orders of several periods are found, newest first', async () => {
    const { id } = await placed({ firstName: 'Periodica', lastName: 'Crossing' })
    const earlier = ['ord_0002x0', 'ord_0001x0']
    await copyOrder(service, TENANT, id, [
      { id: earlier[0]!, code: 'PERIOD2' },
      { id: earlier[1]!, code: 'PERIOD1' },
    ])
    for (const prefix of ['ord_0001x', 'ord_0002x'])
      for (const key of ['name periodica', 'name crossing']) await addKeys(key, prefix, 1)
    for (const text of ['crossing', 'periodica crossing']) {
      expect(await found(text)).toEqual([id, ...earlier])
      const { body } = await operate(service, 'POST', '/orders/searches', { q: text, limit: 2 })
      expect(body).toMatchObject({ data: [{ order: { id } }, { order: { id: earlier[0] } }], isMore: true })
    }
  })

  test('operators search for people only with operator.participants.read, and see no participant without it', async () => {
    const order = await placed({ lastName: 'Hidden' }, { externalId: 'EXT-55501' })
    for (const text of ['hidden', 'a@example.com', '1990-01-02'])
      expect((await search(text, DISCREET_OPERATOR)).body).toMatchObject({
        kinds: ['specimenId', 'externalId'],
        data: [],
      })
    expect(refusalOf(await search('ada hidden', DISCREET_OPERATOR))).toBe('400 invalidValue /q')
    const worded = await placed({}, { externalId: 'applicant-gamma' })
    expect((await search('applicant-ga', DISCREET_OPERATOR)).body.data).toMatchObject([{ order: { id: worded.id } }])
    const { body } = await search('EXT-555', DISCREET_OPERATOR)
    expect(body.data).toMatchObject([{ order: { id: order.id } }])
    expect(body.data[0].order).not.toHaveProperty('participant')
  })

  test('every search is recorded with its kinds and its finds, but without its text', async () => {
    const order = await placed({ lastName: 'Audited' })
    await search('audited 1990-01-02')
    await search('Audited')
    const answer = await operate(service, 'GET', '/audit?action=order.search&limit=2')
    expect(answer.body.data).toMatchObject([
      { after: { kinds: ['specimenId', 'externalId', 'name'], orderIds: [order.id] } },
      { after: { kinds: ['name', 'birthDate'], orderIds: [] } },
    ])
    expect(answer.text.toLowerCase()).not.toContain('audited')
  })

  test('a search without anything that can be searched for is refused', async () => {
    expect(refusalOf(await search(' , '))).toBe('400 invalidValue /q')
    expect(refusalOf(await operate(service, 'POST', '/orders/searches', {}))).toBe('400 required /q')
  })
})

/** Keys of orders that are newer than all others, numbered from 0. */
const addKeys = (key: string, prefix: string, count: number) => service.pool`
  insert into search_keys (tenant_id, key, order_id)
  select ${TENANT}, ${searchHashes(testKeyring, TENANT, key)[0]!}::bigint, ${prefix} || n
  from generate_series(0, ${count}::int - 1) n`

const keysOf = async (id: string) =>
  Number((await service.pool.values`select count(*) from search_keys where order_id = ${id}`)[0])

describe('search keys', () => {
  test('search keys are kept as hashes that nobody can read', async () => {
    const order = await placed({ lastName: 'Readable', email: 'readable@example.com' })
    const rows = await service.pool`select * from search_keys where order_id = ${order.id}`
    expect(rows.length).toBeGreaterThan(5)
    expect(JSON.stringify(rows).toLowerCase()).not.toContain('readable')
  })

  test('an order has one row for each of its search keys and codes, after every change', async () => {
    const { id } = await placed({ lastName: 'Before' })
    const { participant, services } = (await service.store.orders.find(TENANT, id))!
    const collected = services.map((each, i) => ({ ...each, specimenId: `S-${i}` }))
    await rewrite(service, id, { services: collected, externalId: 'E-1' })
    expect(await rowsAreThoseOf(id)).toBe(true)
    await rewrite(service, id, { participant: { ...participant, lastName: 'After' }, externalId: null })
    expect(await rowsAreThoseOf(id)).toBe(true)
    expect([await found('before'), await found('after')]).toEqual([[], [id]])
  })

  test('a change of the participant replaces the search keys, another change leaves them', async () => {
    const { id } = await placed({ lastName: 'Maiden' })
    const change = (members: (order: Order) => Partial<Order>) =>
      service.store.transaction(async (tx) => {
        const before = (await tx.orders.find(TENANT, id))!
        await changeOrders(
          [{ tenantId: TENANT, before, after: { ...before, ...members(before) } }],
          tx,
          new PooledRandom(),
        )
      })
    await service.pool`update orders set search_keys = search_keys || 1::bigint where id = ${id}`
    await change(() => ({ billingCode: 'B-1', updatedAt: new Date() }))
    const marked = await service.pool.values`select id from orders where id = ${id} and 1 = any(search_keys)`
    expect([marked, await rowsAreThoseOf(id), await found('maiden')]).toEqual([[id], true, [id]])
    await change(({ participant }) => ({ participant: { ...participant, lastName: 'Married' }, updatedAt: new Date() }))
    expect([await rowsAreThoseOf(id), await found('maiden'), await found('married')]).toEqual([true, [], [id]])
    const delivery: Order['delivery'] = { type: 'email', to: 'moved@example.com', cc: [] }
    await change(() => ({ delivery, updatedAt: new Date() }))
    expect([await rowsAreThoseOf(id), await found('moved@example.com')]).toEqual([true, [id]])
  })

  const rowsAreThoseOf = async (id: string) => {
    const { are } = await service.pool.only<{ are: boolean }>`
      select array(select unnest(search_keys) order by 1) = array(select key from search_keys where order_id = ${id} order by 1)
        and array(select unnest(search_codes) order by 1) = array(select code from search_codes where order_id = ${id} order by 1)
        as are
      from orders where id = ${id}`
    return are
  }

  test('search keys are removed with the order', async () => {
    const order = await placed({ lastName: 'Removed' })
    expect(await keysOf(order.id)).toBeGreaterThan(0)
    await service.store.transaction((tx) => tx.orderRemoval.remove(TENANT, [order.id]))
    expect(await keysOf(order.id)).toBe(0)
  })

  test('search keys are added in the background for orders of earlier builds', async () => {
    const order = await placed({ lastName: 'Backfilled' })
    await service.pool`update orders set search_keys = null where id = ${order.id}`
    expect([await keysOf(order.id), await found('backfilled')]).toEqual([0, []])
    await plainTextSealer(service.store)(Date.now())
    expect(await found('backfilled')).toEqual([order.id])
  })
})
