import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DISCREET_OPERATOR, operate, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { created, PERSON } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const SECRETS = ['Lopez', 'maria@example.com', '1990-03-07', '5550142', '555-0142', 'Ogden']
const reads = async (id: string) =>
  (await operate(service, 'GET', `/audit?subjectId=${id}&action=order.read`)).body.total as number

describe('masked participants for operators', () => {
  test.each([
    ['a list', () => '/orders?participants=masked', 'data.0.participant'],
    ['an order', (id: string) => `/orders/${id}?participants=masked`, 'order.participant'],
  ])('%s shows first name, last initial and the ends of contacts, and is no recorded read', async (_what, path, at) => {
    const { id } = await created(service, { participant: { ...PERSON, email: 'maria@example.com' } })
    const { status, body, text } = await operate(service, 'GET', path(id))
    expect(status).toBe(200)
    expect(body).toHaveProperty(at, expect.objectContaining({ firstName: 'Maria', lastName: 'L.', birthDate: null }))
    for (const secret of SECRETS) expect(text).not.toContain(secret)
    expect(await reads(id)).toBe(0)
  })

  test('reading in full is the default, and is recorded', async () => {
    const { id } = await created(service)
    const { body } = await operate(service, 'GET', `/orders/${id}`)
    expect(body.order.participant.lastName).toBe('Lopez')
    expect(await reads(id)).toBe(1)
  })

  test('a caller who may not see participants sees none, masked or not', async () => {
    const { id } = await created(service)
    const path = `/orders/${id}?participants=masked`
    const { body } = await operate(service, 'GET', path, undefined, DISCREET_OPERATOR)
    expect(body.order).not.toHaveProperty('participant')
    expect(body.delivery).toEqual({ type: 'email' })
  })
})
