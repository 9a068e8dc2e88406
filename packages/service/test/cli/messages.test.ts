import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resendQuestion } from '../../src/cli/output/notifications.ts'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport } from '../../src/notify/transports.ts'
import { mailServer } from '../notifications/mail-server.ts'
import { OPERATOR, staffed } from '../support/operator.ts'
import { created, only, TENANT } from '../orders/given.ts'
import { ots } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { commands } from './run-commands.ts'

let service: TestService
let env: Record<string, string>
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
  env = { OTS_URL: service.origin, OTS_TOKEN: OPERATOR }
})
beforeEach(() => service.pool`delete from notifications`)
afterAll(() => service.stop())

const { outputOf } = commands(() => env, 'messages')

/** The link of a new order, which a mail server has refused. */
async function refusedLink(): Promise<{ id: string; order: { id: string; code: string } }> {
  const order = await created(service)
  const server = await mailServer({ refusing: 550 })
  const transport = smtpTransport(server.url, 'orders.example')
  const options = { channel: 'email', transport, publicUrl: 'https://orders.example', random: randomBytes } as const
  const dispatcher = new NotificationDispatcher({ store: service.store, ...options })
  while (await dispatcher.round());
  transport.close()
  await server.close()
  const page = { orderId: order.id, limit: 20, page: 1 }
  return { id: only((await service.store.notifications.page(TENANT, page)).rows).id, order }
}

const stateOf = async (id: string) => (await service.store.notifications.read(TENANT, id))?.state

describe('ots messages', () => {
  test('ots messages list filters by order, state, channel and time, and prints one line each', async () => {
    const { id, order } = await refusedLink()
    const other = await created(service)
    const [all, byCode, waiting, texted, later, json] = await Promise.all([
      outputOf('list'),
      outputOf('list', '--order', order.code),
      outputOf('list', '--state', 'waiting'),
      outputOf('list', '--channel', 'mobile'),
      outputOf('list', '--since', '2999-01-01'),
      outputOf('list', '--state', 'failed', '--json'),
    ])
    const line = `^\\S+Z  ${id}  ${order.id}  link  participant  email +1 attempt +failed \\S+Z$`
    expect(all).toMatch(new RegExp(line, 'm'))
    expect(all).toMatch(/^1 to 2 of 2 messages, newest first\.\n$/m)
    expect(byCode).toMatch(new RegExp(`${line}\n\n1 to 1 of 1 message, newest first\\.\n$`, 'm'))
    expect(waiting).toMatch(new RegExp(`${other.id}  link  participant  email +0 attempts  waiting, due \\S+Z$`, 'm'))
    expect([texted, later]).toEqual(Array(2).fill('No messages match.\n'))
    expect(JSON.parse(json)).toMatchObject({ data: [{ id, channel: 'email' }], total: 1 })
  })

  test('ots messages show prints every attempt with the response of the server, and no address', async () => {
    const { id, order } = await refusedLink()
    const [sheet, json, timeline] = await Promise.all([
      outputOf('show', id),
      outputOf('show', id, '--json'),
      ots(['orders', 'show', order.code], env),
    ])
    expect(sheet).toMatch(new RegExp(`^Message  ${id}\nOrder    ${order.id}\nKind     link, for the participant$`, 'm'))
    expect(sheet).toMatch(
      /^State +failed \S+Z\n\n1 attempt, first to last:\n\n1 {2}\S+Z {2}\d+ ms {2}refused {2}.*550/m,
    )
    expect(sheet).not.toContain('@')
    expect(JSON.parse(json)).toMatchObject({ id, log: [{ number: 1, outcome: 'refused' }] })
    expect(timeline.stdout).toMatch(/Message "link" for the participant by e-mail: failed, last attempt refused\.$/m)
  })

  test('ots messages resend sends the given messages again, and reports those it cannot', async () => {
    const { id } = await refusedLink()
    const { id: second } = await refusedLink()
    expect(await outputOf('resend', id)).toBe(`Message ${id} will be sent again.\n`)
    const { code, stdout, stderr } = await ots(['messages', 'resend', id, second, 'msg_none'], env)
    expect([code, stdout]).toEqual([1, `Message ${second} will be sent again.\n`])
    expect(stderr).toMatch(new RegExp(`^${id}: The service refused this: 422 .*\n.* \\(invalidState\\)$`, 'm'))
    expect(stderr).toMatch(/^msg_none: The service refused this: 404 Not Found$/m)
    expect(await Promise.all([stateOf(id), stateOf(second)])).toEqual(['waiting', 'waiting'])
  })

  test('ots messages resend sends all that failed again without a terminal only with --yes', async () => {
    const ids = [await refusedLink(), await refusedLink(), await refusedLink()].map(({ id }) => id)
    const states = () => Promise.all(ids.map((id) => stateOf(id)))
    const asked = await ots(['messages', 'resend', '--state', 'failed'], env)
    expect(asked).toEqual({
      code: 1,
      stdout: '',
      stderr: '3 messages have failed. Send again?\nNothing was done. Add --yes to confirm without a terminal.\n',
    })
    expect(await outputOf('resend', '--state', 'failed', '--since', '2999-01-01', '--yes')).toBe('No messages match.\n')
    expect(await states()).toEqual(['failed', 'failed', 'failed'])
    expect(await outputOf('resend', '--state', 'failed', '--since', '2026-01-01', '--channel', 'email', '--yes')).toBe(
      '3 messages will be sent again.\n',
    )
    expect(await states()).toEqual(['waiting', 'waiting', 'waiting'])
    expect(await outputOf('resend', '--state', 'failed')).toBe('No messages match.\n')
  })

  test('ots messages resend warns about messages that may have arrived, and requires ids or a state', async () => {
    const { id } = await refusedLink()
    await service.pool`update notifications set state = 'uncertain' where id = ${id}`
    const [uncertain, nothing, both, sent] = await Promise.all([
      ots(['messages', 'resend', '--state', 'uncertain'], env),
      ots(['messages', 'resend', '--yes'], env),
      ots(['messages', 'resend', id, '--state', 'failed'], env),
      ots(['messages', 'resend', '--state', 'sent'], env),
    ])
    expect(uncertain.stderr).toContain('1 message may have arrived and would then arrive twice.')
    expect(nothing.stderr).toBe('Give the ids of messages, or --state to send all messages in a state.\n')
    expect([uncertain, nothing, both, sent].map(({ code }) => code)).toEqual([1, 1, 2, 2])
    expect(await stateOf(id)).toBe('uncertain')
  })
})

describe('ots messages suppressions', () => {
  test('ots messages resend says in its question that there are more than were counted', () => {
    expect(resendQuestion({ total: 100_000, isMore: true }, 'failed')).toBe(
      'More than 100000 messages have failed. Send again?',
    )
    expect(resendQuestion({ total: 1, isMore: false }, 'failed')).toBe('1 message has failed. Send again?')
  })

  test('ots messages suppressions list shows addresses that get no messages, and remove takes one off', async () => {
    const row = { tenantId: TENANT, channel: 'email', notificationId: null, createdAt: new Date() } as const
    await service.store.suppressions.add({ ...row, id: 'sup_1', reason: 'hardBounce', address: 'gone@example.com' })
    await service.store.suppressions.add({ ...row, id: 'sup_2', reason: 'complaint', address: 'eve@example.com' })
    expect(await outputOf('suppressions', 'list')).toMatch(/sup_2 +email +complaint +eve@example\.com\n.*sup_1/)
    const [byAddress, byReason] = await Promise.all([
      outputOf('suppressions', 'list', '--address', 'GONE@example.com', '--json'),
      outputOf('suppressions', 'list', '--reason', 'optOut'),
    ])
    expect(JSON.parse(byAddress)).toMatchObject({ data: [{ id: 'sup_1' }], total: 1 })
    expect(byReason).toBe('No suppressions match.\n')
    expect(await outputOf('suppressions', 'remove', 'sup_1')).toBe('gone@example.com gets messages again.\n')
    expect(await service.store.suppressions.has(row, 'gone@example.com')).toBe(false)
    expect(await service.store.suppressions.has(row, 'eve@example.com')).toBe(true)
  })
})

describe('ots orders link', () => {
  const { outputOf: orders } = commands(() => env, 'orders')

  test('ots orders link sends a new link, and revoke-links ends the earlier ones', async () => {
    const order = await created(service)
    expect(await orders('link', order.code, '--email', 'maria@home.example')).toMatch(
      /^A new link will be sent \(msg_\w+\)\.\n$/,
    )
    const found = await service.store.orders.find(TENANT, order.id)
    expect(found?.delivery).toEqual({ type: 'email', to: 'maria@home.example', cc: [] })
    expect(await orders('revoke-links', order.code)).toBe('0 links revoked.\n')
  })
})
