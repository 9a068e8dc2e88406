import { randomBytes } from 'node:crypto'
import type { Task, TaskCounts } from '@order-testing/contract/operator'
import { beforeEach, describe, expect, test } from 'vitest'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { TaskFinder } from '../../src/operations/tasks/find-tasks.ts'
import { created, LAB, TENANT } from '../orders/given.ts'
import { invited, linkTo, open, participantService, submit } from '../participants/given.ts'
import { DISCREET_OPERATOR, messageAbout, operate, OPERATOR } from '../support/operator.ts'

const service = participantService()
const DAY_MS = 86_400_000

/** Looks for tasks as a worker does, at a later time if given. */
const look = (afterMs = 0) =>
  new TaskFinder(service.store, new PooledRandom()).round(new Date(Date.now() + afterMs), { isComplete: true })
const list = async (query = '', secret = OPERATOR): Promise<Task[]> =>
  (await operate(service, 'GET', `/tasks?limit=20${query}`, undefined, secret)).body.data
const of = (orderId: string, query = '') => list(`&orderId=${orderId}${query}`)
const counts = async (): Promise<TaskCounts> => (await operate(service, 'GET', '/tasks/counts')).body
const act = (method: string, { id }: { id: string }, what: string, body?: unknown, secret = OPERATOR) =>
  operate(service, method, `/tasks/${id}/${what}`, body, secret)

beforeEach(async () => {
  await service.pool`delete from tasks`
  await service.pool`delete from order_links`
  await service.pool`delete from help_requests`
  await service.pool`delete from result_reports`
})

describe('what needs an operator', () => {
  test('a request for help becomes a task with the order and its masked participant, and ends when it is answered', async () => {
    const { order, secret } = await invited(service)
    await submit(service, secret, { step: 'help', helpReason: 'tooFar' })
    await look()
    const [task] = await of(order.id)
    expect(task).toMatchObject({
      reason: 'helpAsked',
      actor: 'operator',
      details: { why: 'tooFar', recipient: 'participant' },
      order: { code: order.code, company: 'Acme', participant: 'Maria L.', timezone: expect.any(String) },
      claimedBy: null,
    })
    const [request] = (await operate(service, 'GET', `/helpRequests?orderId=${order.id}`)).body.data
    await operate(service, 'PUT', `/helpRequests/${request.id}/done`)
    await look()
    expect(await of(order.id)).toEqual([])
    expect((await operate(service, 'GET', `/tasks/${task!.id}`)).status).toBe(404)
  })

  test('a link that nobody opens for 48 hours is a task until somebody opens it', async () => {
    const { order, secret } = await invited(service)
    await look(DAY_MS)
    expect(await of(order.id, '&reason=linkNotOpened')).toEqual([])
    await look(2.1 * DAY_MS)
    expect(await of(order.id, '&reason=linkNotOpened')).toMatchObject([{ actor: 'participant' }])
    await open(service, secret)
    await look(2.1 * DAY_MS)
    expect(await of(order.id, '&reason=linkNotOpened')).toEqual([])
  })

  test('an order that expires within 24 hours is due at its expiry', async () => {
    const { order } = await invited(service)
    const expiresAt = new Date(Date.now() + 10 * DAY_MS).toISOString()
    await service.pool`update orders set expires_at = ${expiresAt}, due_at = ${expiresAt} where id = ${order.id}`
    const left = Date.parse(expiresAt) - Date.now()
    await look(left - 1.1 * DAY_MS)
    expect(await of(order.id, '&reason=expiring')).toEqual([])
    await look(left - 0.9 * DAY_MS)
    expect(await of(order.id, '&reason=expiring')).toMatchObject([{ dueAt: expiresAt }])
  })

  test('a notification that bounced is a task until a later one is sent', async () => {
    const { order } = await invited(service)
    const message = async (state: string) => {
      const id = `msg_${randomBytes(9).toString('hex')}${state}`
      await service.pool`
        insert into notifications (tenant_id, id, order_id, kind, channel, state, due_at, created_at, ended_at)
        values (${TENANT}, ${`msg_z${Date.now()}${id}`}, ${order.id}, 'link', 'email', ${state}, now(), now(), now())`
    }
    await service.pool`delete from notifications where order_id = ${order.id}`
    await message('bounced')
    await look()
    expect(await of(order.id)).toMatchObject([
      { reason: 'notificationFailed', details: { state: 'bounced', kind: 'link' } },
    ])
    await message('sent')
    await look()
    expect(await of(order.id)).toEqual([])
  })

  test('of thousands of notifications of one order that failed, only the last one is compared with later ones', async () => {
    const { order } = await invited(service)
    await service.pool.transaction(
      (db) => db`
        insert into notifications (tenant_id, id, order_id, kind, channel, state, due_at, created_at, ended_at)
        select ${TENANT}, 'msg_z' || lpad(n::text, 6, '0'), ${order.id}, 'link', 'email', 'failed', now(), now(), now()
        from generate_series(1, 20000) n`,
      { isUnlimited: true },
    )
    await look()
    expect(await of(order.id)).toMatchObject([{ details: { messageId: 'msg_z020000' } }])
    await service.pool`delete from notifications where order_id = ${order.id}`
  })

  test('a result report without an order is a task of its own', async () => {
    const report = messageAbout({ code: 'ZZZZ-ZZZZ' })
    const receipt = await operate(service, 'POST', '/results', report)
    await look()
    const tasks = await list('&reason=resultUnmatched')
    expect(tasks).toMatchObject([{ subjectId: receipt.body.id, order: null, details: { senderId: 'lab-1' } }])
    const sender = { kind: 'lab', id: 'lab-1', name: null }
    expect(tasks[0]!.result).toMatchObject({ sender, orderCode: 'ZZZZ-ZZZZ', specimenId: null })
  })

  test('the task of a result report names its specimen and laboratory, which are not stored with the task', async () => {
    const report = messageAbout(
      { code: '' },
      { sender: { kind: 'lab', id: LAB.id }, match: { specimenId: 'S-2041877' } },
    )
    await operate(service, 'POST', '/results', report)
    await look()
    const [task] = await list('&reason=resultUnmatched')
    const result = { specimenId: 'S-2041877', orderCode: null, sender: { id: LAB.id, name: LAB.name } }
    expect(task!.result).toMatchObject(result)
    expect((await operate(service, 'GET', `/tasks/${task!.id}`)).body.result).toMatchObject(result)
    expect(JSON.stringify(await service.pool`select details from tasks`)).not.toContain('2041877')
  })

  test('a booking at a clinic that was switched off is due at its time', async () => {
    const order = await created(service)
    const appointmentAt = `${new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10)}T18:00:00.000Z`
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'naperville', appointmentAt })
    await service.pool`update clinics set is_active = false where id = 'naperville'`
    await look()
    expect(await of(order.id)).toMatchObject([{ reason: 'clinicOff', dueAt: appointmentAt }])
    await service.pool`update clinics set is_active = true where id = 'naperville'`
    await look()
    expect(await of(order.id)).toEqual([])
  })

  test('a receiver whose breaker is open is a task, and a paused one is not', async () => {
    await service.pool`
      insert into receivers (tenant_id, origin, failures, open_until, paused_at) values
        (${TENANT}, 'https://down.example', 5, now(), null), (${TENANT}, 'https://paused.example', 9, now(), now())`
    await look()
    expect(await list('&reason=receiverFailing')).toMatchObject([
      { subjectId: 'https://down.example', actor: 'receiver', order: null },
    ])
    await service.pool`delete from receivers`
  })

  test('a test that stays too long where it is moves its task when it moves on', async () => {
    const order = await created(service)
    const { services } = (await operate(service, 'GET', `/orders/${order.id}`)).body
    const move = (status: string) =>
      operate(service, 'POST', `/orders/${order.id}/services/${services[0].id}/moves`, { status })
    await move('checkedIn')
    await look(5 * 3_600_000)
    const [task] = await of(order.id, '&reason=stuck')
    expect(task).toMatchObject({ actor: 'collector', details: { status: 'checkedIn', usualSeconds: 14_400 } })
    await act('PUT', task!, 'done')
    await move('collected')
    await look(25 * 3_600_000)
    expect(await of(order.id, '&reason=stuck')).toMatchObject([{ id: task!.id, actor: 'courier', doneAt: null }])
  })
})

describe('working on tasks', () => {
  async function given(): Promise<Task> {
    const { order, secret } = await invited(service)
    await submit(service, secret, { step: 'help', helpReason: 'noTime' })
    await look()
    return (await of(order.id))[0]!
  }

  test('of two operators who claim a task at once, one gets it; the other can take it over', async () => {
    const task = await given()
    const answers = await Promise.all([act('PUT', task, 'claim', {}), act('PUT', task, 'claim', {}, DISCREET_OPERATOR)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
    expect((await act('PUT', task, 'claim', { takeOver: true }, DISCREET_OPERATOR)).body.claimedBy.isMe).toBe(true)
    const [seen] = await list('&state=open')
    expect(seen!.claimedBy).toMatchObject({ isMe: false })
    expect(await list('&state=mine')).toEqual([])
    expect(await list('&state=mine', DISCREET_OPERATOR)).toMatchObject([{ id: task.id, order: { participant: null } }])
  })

  test('a claim is released by its owner alone, unless somebody else asks for it in so many words', async () => {
    const task = await given()
    await act('PUT', task, 'claim', {}, DISCREET_OPERATOR)
    expect((await act('DELETE', task, 'claim')).status).toBe(422)
    expect((await list())[0]!.claimedBy).toMatchObject({ isMe: false })
    expect((await act('DELETE', task, 'claim', undefined, DISCREET_OPERATOR)).body.claimedBy).toBeNull()
    expect((await act('DELETE', task, 'claim')).body.claimedBy).toBeNull()
    await act('PUT', task, 'claim', {}, DISCREET_OPERATOR)
    expect((await act('DELETE', task, 'claim?takeOver=true')).body.claimedBy).toBeNull()
  })

  test('a snoozed task is hidden until its time, and a finished one until its reason returns', async () => {
    const task = await given()
    const until = new Date(Date.now() + DAY_MS).toISOString()
    expect((await act('PUT', task, 'snooze', { until })).body.snoozedUntil).toBe(until)
    expect(await counts()).toMatchObject({ open: 0, snoozed: 1 })
    await act('PUT', task, 'snooze', { until: null })
    await act('PUT', task, 'done')
    await look()
    expect(await counts()).toMatchObject({ open: 0, snoozed: 0, done: 1, reasons: { helpAsked: 0 } })
    await act('DELETE', task, 'done')
    expect(await counts()).toMatchObject({ open: 1, done: 0, reasons: { helpAsked: 1 } })
  })

  test('a task cannot be snoozed into the past or for more than 30 days', async () => {
    const task = await given()
    for (const days of [-1, 31]) {
      const until = new Date(Date.now() + days * DAY_MS).toISOString()
      const { status, body } = await act('PUT', task, 'snooze', { until })
      expect([status, body.errors[0].source.pointer]).toEqual([400, '/until'])
    }
  })

  test('what operators do with a task is in the audit log of its order, once', async () => {
    const task = await given()
    for (let i = 0; i < 2; i++) await act('PUT', task, 'done')
    const { body } = await operate(service, 'GET', `/audit?subjectId=${task.order!.id}&action=task.done`)
    expect(body.data).toMatchObject([{ after: { taskId: task.id, reason: 'helpAsked' } }])
  })

  test('tasks are sorted by due time, and overdue ones are counted', async () => {
    const late = await given()
    await given()
    await service.pool`update tasks set due_at = now() - interval '1 hour' where id = ${late.id}`
    expect((await list())[0]!.id).toBe(late.id)
    expect(await counts()).toMatchObject({ open: 2, overdue: 1 })
  })

  test('another tenant’s operator sees no task', async () => {
    const task = await given()
    await service.pool`update tasks set tenant_id = 'south' where id = ${task.id}`
    expect(await list()).toEqual([])
    expect((await act('PUT', task, 'done')).status).toBe(404)
  })
})

test('several workers at once find every task once', async () => {
  const { order, secret } = await invited(service)
  await submit(service, secret, { step: 'help', helpReason: 'other' })
  await linkTo(service, order.id)
  await Promise.all(Array.from({ length: 6 }, () => look()))
  expect(await of(order.id)).toHaveLength(1)
})
