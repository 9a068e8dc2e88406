import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { applied, messageAbout, operate, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { created, SECRET } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed({ clinics: [{ id: 'riverside', name: 'Riverside', services: ['urine'] }] }))
})
afterAll(() => service.stop())

const read = async (id: string) => (await service.call(SECRET, `/api/v2/orders/${id}`)).body

describe('two people who change the same order', () => {
  test('a correction that is based on an older version is refused, and says what the result is now', async () => {
    const placed = await created(service)
    await applied(service, messageAbout(placed, { event: 'testing' }))
    await applied(service, messageAbout(placed, { event: 'result', result: 'negative' }))
    const { updatedAt: basedOn } = await read(placed.id)
    const [{ id }] = placed.services
    const correct = (body: object) =>
      operate(service, 'POST', `/orders/${placed.id}/services/${id}/corrections`, { reason: 'By phone.', ...body })
    expect((await correct({ status: 'testCancelled', basedOn })).status).toBe(200)
    const second = await correct({ status: 'unobtainable', basedOn })
    expect(refusalOf(second)).toBe('409 conflict /basedOn')
    const now = await read(placed.id)
    expect(second.body.errors[0].meta).toMatchObject({
      updatedAt: now.updatedAt,
      status: 'testCancelled',
      services: [{ id, status: 'testCancelled' }],
    })
    expect((await correct({ status: 'unobtainable', basedOn: now.updatedAt })).status).toBe(200)
    expect((await correct({ status: 'testCancelled' })).status).toBe(200)
  })

  test('a move and a cancellation that are based on an older version change nothing', async () => {
    const placed = await created(service)
    const { updatedAt: basedOn } = placed
    const path = `/orders/${placed.id}/services/${placed.services[0].id}/moves`
    expect((await operate(service, 'POST', path, { status: 'checkedIn', basedOn })).status).toBe(200)
    const after = await read(placed.id)
    expect(refusalOf(await operate(service, 'POST', path, { status: 'collected', basedOn }))).toBe(
      '409 conflict /basedOn',
    )
    const cancelled = await operate(service, 'PUT', `/orders/${placed.id}/cancellation`, { basedOn })
    expect(refusalOf(cancelled)).toBe('409 conflict /basedOn')
    expect(await read(placed.id)).toEqual(after)
  })
})

describe('two people who change what an order waits for', () => {
  test.each([
    ['PATCH', 'participant', { email: 'first@example.com', reason: 'She called.' }],
    ['PATCH', 'expiry', { days: 14, reason: 'On leave.' }],
    ['PUT', 'clinic', { clinicId: 'riverside' }],
  ])('%s %s is refused if it is based on an older version', async (method, member, body) => {
    const { id, updatedAt: basedOn } = await created(service)
    const path = `/orders/${id}/${member}`
    expect((await operate(service, method, path, { ...body, basedOn })).status).toBe(200)
    const after = await read(id)
    expect(refusalOf(await operate(service, method, path, { ...body, basedOn }))).toBe('409 conflict /basedOn')
    expect(await read(id)).toEqual(after)
    expect((await operate(service, method, path, { ...body, basedOn: after.updatedAt })).status).toBe(200)
  })
})

describe('when a step happened', () => {
  const moveAt = async (occurredAt: string, members: object = {}) => {
    const placed = await created(service, members)
    const path = `/orders/${placed.id}/services/${placed.services[0].id}/moves`
    return { placed, answer: await operate(service, 'POST', path, { status: 'checkedIn', occurredAt }) }
  }

  test('a time in the future is refused', async () => {
    const future = new Date(Date.now() + 86_400_000).toISOString()
    expect(refusalOf((await moveAt(future)).answer)).toBe('400 tooBig /occurredAt')
  })

  test('clocks may differ a little, and the audit log has the time as given', async () => {
    const ahead = new Date(Date.now() + 60_000).toISOString()
    const { placed, answer } = await moveAt(ahead)
    expect(answer.status).toBe(200)
    const { body } = await operate(service, 'GET', `/audit?subjectId=${placed.id}&action=service.move`)
    expect(body.data[0].after.occurredAt).toBe(ahead)
  })
})
