import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DISCREET_OPERATOR, operate, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { cancelled, created, PERSON } from './given.ts'

const CLINIC = {
  id: 'denver',
  name: 'Denver Clinic',
  services: ['urine'],
  address: { line1: '1 Main Street', city: 'Denver', state: 'CO', postalCode: '80202' },
}
const ADDRESS = { line1: '1 Ogden Avenue', city: 'Naperville', state: 'IL', postalCode: '60540', country: 'US' }

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed({ clinics: [CLINIC] }))
})
afterAll(() => service.stop())

const linesOf = (text: string) => text.split('\r\n').filter((line) => line !== '')
const idsOf = (text: string) =>
  linesOf(text)
    .slice(1)
    .map((line) => line.split(',')[0]!)

describe('times of listed orders', () => {
  test('each row has the zone of its clinic, else of its participant, and the booked time', async () => {
    const order = await created(service, { participant: { ...PERSON, address: ADDRESS } })
    const listed = async (path = '') =>
      (await operate(service, 'GET', `/orders?code=${order.code}&participants=masked${path}`)).body.data[0]
    expect(await listed()).toMatchObject({ timezone: 'America/Chicago', appointmentAt: null })
    const appointmentAt = new Date(Date.now() + 86_400_000).toISOString()
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'denver', appointmentAt })
    expect(await listed()).toMatchObject({ timezone: 'America/Denver', appointmentAt })
    expect((await operate(service, 'GET', `/orders/${order.id}`)).body).toMatchObject({ timezone: 'America/Denver' })
    const { data } = (await operate(service, 'POST', '/orders/searches', { q: order.code })).body
    expect(data).toMatchObject([{ order: { timezone: 'America/Denver', appointmentAt } }])
  })

  test('the zone tells a caller who may not see participants nothing of where they live', async () => {
    const order = await created(service, { participant: { ...PERSON, address: ADDRESS } })
    const path = `/orders?code=${order.code}`
    const { data } = (await operate(service, 'GET', path, undefined, DISCREET_OPERATOR)).body
    expect(data).toMatchObject([{ id: order.id, timezone: 'UTC' }])
  })
})

describe('filters by several statuses', () => {
  test('the list and the export have the orders in any of the statuses, or in none of them, and no others', async () => {
    const [open, closed] = [await created(service), await created(service)]
    await cancelled(service, closed.id)
    const read = async (query: string) => (await operate(service, 'GET', `/orders?${query}`)).body
    const has = async (query: string) => {
      const ids = ((await read(query)).data as { id: string }[]).map(({ id }) => id)
      expect(idsOf((await operate(service, 'GET', `/orders/export?${query}`)).text)).toEqual(ids)
      return [ids.includes(open.id), ids.includes(closed.id)]
    }
    expect(await has('status=ordered,cancelled')).toEqual([true, true])
    expect(await has('status=ordered,expired')).toEqual([true, false])
    expect(await has('statusNot=ordered')).toEqual([false, true])
    expect(await has('statusNot=cancelled,expired')).toEqual([true, false])
    expect(await has('status=ordered,cancelled&statusNot=ordered')).toEqual([false, true])
    const [all, some, others] = await Promise.all(
      ['', 'status=ordered,pending', 'statusNot=ordered,pending'].map(async (query) => (await read(query)).total),
    )
    expect(some + others).toBe(all)
    expect(await read('status=ordered&statusNot=ordered')).toMatchObject({ data: [], total: 0 })
  })

  test('an unknown status among several is refused', async () => {
    const answer = await operate(service, 'GET', '/orders?status=ordered,lost')
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.text).toContain('separated by commas')
  })
})

describe('export of orders', () => {
  test('the orders of a filter are exported as CSV with masked participants, and the export is recorded', async () => {
    const order = await created(service, { participant: { ...PERSON, firstName: ' =1+1' }, externalId: 'HR-"7"' })
    const answer = await operate(service, 'GET', `/orders/export?code=${order.code}`)
    expect(answer.headers.get('content-type')).toBe('text/csv')
    const [header, line, ...more] = linesOf(answer.text)
    expect(header).toMatch(/^id,code,status,participant,/)
    expect(line).toMatch(new RegExp(`^${order.id},${order.code},ordered,'=1\\+1 L.,Acme,Headquarters,Basic,`))
    expect(line).toMatch(/,"HR-""7"""$/)
    expect(more).toEqual([])
    expect(answer.text).not.toContain('Lopez')
    const [recorded] = (await operate(service, 'GET', '/audit?action=order.export')).body.data
    expect(recorded.after).toMatchObject({ code: order.code, orders: 1 })
  })

  test.each([
    ['a kept list', 'status=cancelled'],
    ['updates', `updatedFrom=2020-01-01T00:00:00Z&status=cancelled`],
    ['updates alone', `updatedFrom=2020-01-01T00:00:00Z`],
    ['everything', `createdTo=2099-01-01T00:00:00Z`],
  ])(
    'an export by %s is read on from its last line, without repeating or leaving out orders',
    async (_what, filter) => {
      for (let i = 0; i < 5; i++) await cancelled(service, (await created(service)).id)
      const all = idsOf((await operate(service, 'GET', `/orders/export?${filter}`)).text)
      expect(all.length).toBeGreaterThanOrEqual(5)
      const read: string[] = []
      for (let page: string[] | undefined; page === undefined || page.length === 2;) {
        const before = read.at(-1)
        const path = `/orders/export?${filter}&limit=2${before === undefined ? '' : `&before=${before}`}`
        page = idsOf((await operate(service, 'GET', path)).text)
        read.push(...page)
        // Orders that are placed meanwhile do not push others onto the next page.
        await created(service)
      }
      expect(read).toEqual(all)
    },
  )
})
