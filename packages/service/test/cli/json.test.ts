import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWholeProgram } from '../../src/cli/main.ts'
import { makeId } from '../../src/domain/ids.ts'
import { cancelled, created, SECRET, TENANT, world } from '../orders/given.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { operate, OPERATOR, staffed } from '../support/operator.ts'
import { ots, SLOW } from '../support/processes.ts'
import { startService, TEST_KEY, urlOf, type TestService } from '../support/service.ts'
import { googleAccount } from '../participants/wallet-files.ts'
import { httpReceiver } from '../webhooks/receivers.ts'
import { actionsOf, EXCEPTIONS } from './actions.ts'
import { deskExamples, page, type Example } from './desk-examples.ts'
import { orderExamples } from './order-examples.ts'

const CLINIC = { id: 'riverside', name: 'Riverside', services: ['urine'] }

let folder: string
let service: TestService
let env: Record<string, string>
let receiver: Awaited<ReturnType<typeof httpReceiver>>
beforeAll(async () => {
  folder = await newFolder()
  receiver = await httpReceiver()
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(staffed({ clinics: [CLINIC] }))
  env = {
    OTS_URL: service.origin,
    OTS_TOKEN: OPERATOR,
    DATABASE_URL: urlOf(service.target),
    OTS_DATA_DIR: folder,
    OTS_KEYS: `${TEST_KEY.id}:${TEST_KEY.secret}`,
  }
})
removeFoldersAfterAll()
afterAll(() => service.stop())

const fileOf = async (content: object) => {
  const path = join(folder, `${Math.random()}.json`)
  await writeFile(path, JSON.stringify(content))
  return path
}

/** The first entry of a list of the operator API. */
const firstOf = async (path: string) =>
  ((await operate(service, 'GET', path)).body as { data: { id: string }[] }).data[0]!.id

const deliveryOf = async (orderId: string) => {
  await deliverAll(service)
  return firstOf(`/deliveries?order=${orderId}`)
}

const RIDGE = ['--sender', 'R:lab']

/** Creates a token and returns its id. */
const issued = async (id: string, scopes: string, ...more: string[]) => {
  await ots(['token', 'create', '--scopes', scopes, '--id', id, ...more], env)
  return id
}

const order = (members: object = {}) => created(service, members)
const called = () => order({ callback: { url: receiver.url } })

const task = async () => {
  const { id: orderId } = await order()
  const now = new Date()
  const id = makeId('tsk', now, randomBytes)
  const found = { subjectId: orderId, orderId, actor: 'operator', dueAt: now, details: {} } as const
  await service.store.tasks.reconcile(TENANT, 'helpAsked', { found: [found], ids: [id], now })
  return id
}

const accountFile = () => fileOf(JSON.parse(googleAccount().file) as object)

/** The address of a person who was invited. */
async function anybody(): Promise<string> {
  const body = { email: `${Math.random()}@example.com`, name: 'Anybody', role: 'support' }
  return ((await operate(service, 'POST', '/users', body)).body as { email: string }).email
}

const messageOf = (orderId: string) => firstOf(`/messages?orderId=${orderId}`)

const EXAMPLES: Record<string, Example> = {
  'orders create': {
    args: () => ['--location', 'hq', '--package', 'basic', '--name', 'Ann Lee', '--email', 'ann@example.com'],
    token: SECRET,
    prints: { object: 'order', status: 'ordered' },
  },
  'orders get': { args: async () => [(await order()).id], token: SECRET, prints: { object: 'order' } },
  'orders list': { args: () => [], token: SECRET, prints: page },
  'orders simulate': {
    args: async () => [(await order()).id, 'negative', '--wait'],
    token: SECRET,
    prints: { object: 'order', status: 'negative' },
  },
  trigger: { args: () => ['negative'], token: SECRET, prints: { object: 'order', status: 'negative' } },
  'orders show': { args: async () => [(await order()).code], prints: { order: { object: 'order' } } },
  'orders move': {
    args: async () => [(await order()).id, '1', 'checkedIn'],
    prints: { order: { services: [{ status: 'checkedIn' }] } },
  },
  'orders correct': {
    args: async () => [(await order()).id, '1', '--specimen', 'S-1', '--reason', 'Misread.'],
    prints: { order: { services: [{ specimenId: 'S-1' }] } },
  },
  'orders book': { args: async () => [(await order()).id, CLINIC.id], prints: { isBooked: true } },
  'orders unbook': { args: async () => [(await order()).id], prints: { isBooked: false } },
  'orders cancel': {
    args: async () => [(await order()).id, '--reason', 'Twice.'],
    prints: { order: { status: 'cancelled' } },
  },
  'orders search': {
    args: async () => [(await order({ externalId: 'SEARCHED-1' })).externalId],
    prints: { object: 'orderSearch', data: [{ matchedOn: ['externalId'] }] },
  },
  'orders contact': {
    args: async () => [(await order()).id, '--email', 'new@example.com', '--reason', 'She called.'],
    prints: { order: { participant: { email: 'new@example.com' } } },
  },
  'orders extend': {
    args: async () => [(await order()).id, '--days', '14', '--reason', 'On leave.'],
    prints: { order: { expiresAt: expect.any(String) as string } },
  },
  ...orderExamples({ order, service: () => service, folder: () => folder, clinicId: CLINIC.id, page }),
  figures: { args: () => ['--from', '2027-01-01', '--to', '2027-01-31'], prints: { object: 'figures' } },
  'tasks list': { args: () => ['--reason', 'stuck'], prints: page },
  'tasks claim': { args: async () => [await task()], prints: { object: 'task', claimedBy: { isMe: true } } },
  'tasks snooze': {
    args: async () => [await task(), '--until', new Date(Date.now() + 60_000).toISOString()],
    prints: { object: 'task', snoozedUntil: expect.any(String) },
  },
  'tasks done': { args: async () => [await task()], prints: { object: 'task', doneAt: expect.any(String) } },
  'users invite': {
    args: () => ['rosa@example.com', '--name', 'Rosa', '--role', 'support'],
    prints: { object: 'user', state: 'invited', invitation: { isMailed: false } },
  },
  'users list': { args: () => [], prints: page },
  'users reinvite': { args: async () => [await anybody()], prints: { object: 'user' } },
  'users update': { args: async () => [await anybody(), '--role', 'auditor'], prints: { role: 'auditor' } },
  'users deactivate': { args: async () => [await anybody()], prints: [{ isActive: false }] },
  'users sign-out': { args: async () => [await anybody()], prints: [{ object: 'signOut', sessions: 0 }] },
  ...deskExamples({ service: () => service, fileOf, clinicId: CLINIC.id }),
  'messages list': { args: () => [], prints: page },
  'messages show': { args: async () => [await messageOf((await order()).id)], prints: { object: 'message' } },
  'messages preview': {
    args: async () => [await messageOf((await order()).id)],
    prints: { object: 'messagePreview', isRelevant: true },
  },
  'messages suppressions list': { args: () => [], prints: page },
  'messages suppressions remove': {
    args: async () => {
      const bounce = { address: 'gone@example.com', type: 'hard' }
      await operate(service, 'POST', '/messages/bounces', bounce)
      return [await firstOf('/suppressions')]
    },
    prints: [{ object: 'suppression' }],
  },
  'orders link': { args: async () => [(await order()).id], prints: { object: 'orderLinks' } },
  'orders revoke-links': { args: async () => [(await order()).id], prints: { object: 'orderLinks' } },
  'wallet set': {
    args: async () => ['google', '--issuer-id', '33880000', '--service-account', await accountFile()],
    prints: { kind: 'google' },
  },
  'wallet show': { args: () => [], prints: {} },
  'wallet remove': { args: () => ['google'], prints: { kind: 'google', isRemoved: true } },
  'messages resend': { args: () => ['--state', 'failed'], prints: { object: 'messageResend', resent: 0 } },
  'deliveries list': { args: () => [], prints: page },
  'deliveries show': {
    args: async () => {
      const { id } = await called()
      await cancelled(service, id)
      return [await deliveryOf(id)]
    },
    prints: { object: 'delivery', state: 'delivered' },
  },
  'deliveries replay': {
    args: async () => ['--order', (await order()).code],
    prints: { object: 'deliveryReplay', replayed: 0 },
  },
  'deliveries receivers': { args: () => [], prints: page },
  'deliveries pause': { args: () => ['https://new.example'], prints: { object: 'receiver', isKnown: false } },
  'deliveries resume': { args: () => ['https://new.example'], prints: { object: 'receiver', pausedAt: null } },
  'deliveries probe': { args: () => ['https://new.example'], prints: { object: 'receiver', state: 'closed' } },
  'callbacks list': { args: () => [], prints: page },
  'callbacks end': {
    args: async () => ['--order', (await order()).code],
    prints: { object: 'callbackEnd', ended: 0 },
  },
  audit: { args: () => [], prints: page },
  'audit head': { args: () => [], prints: { seq: expect.any(Number) as number, hash: expect.any(String) as string } },
  'audit check': { args: () => [], prints: { object: 'auditVerification', faults: [], next: null } },
  'audit verify': { args: () => [], prints: [{ tenantId: TENANT, faultCount: 0, faults: [] }] },
  'catalog diff': {
    args: async () => [await fileOf(world({ clinics: [CLINIC] }))],
    prints: [{ tenantId: TENANT, object: 'catalogChanges', added: 0, changes: expect.any(Array) as object }],
  },
  'catalog apply': {
    args: async () => [await fileOf(staffed({ clinics: [CLINIC, { ...CLINIC, id: 'lakeside' }] }))],
    prints: [
      {
        tenantId: TENANT,
        object: 'catalogChanges',
        added: 1,
        changed: 0,
        deactivated: 0,
        openBookings: 0,
        changes: [{ kind: 'clinics', id: 'lakeside', name: 'Riverside', action: 'add', members: [] }],
      },
    ],
  },
  'catalog export': { args: () => [], prints: { tenant: { id: TENANT } } },
  'token create': {
    args: () => ['--scopes', 'order.read', '--id', 'made'],
    prints: { id: 'made', tenantId: TENANT, secret: expect.stringMatching(/^otsk_/) as string },
  },
  'token issue': {
    args: async () => {
      const bare = { id: 'bare', name: 'Bare', scopes: ['order.read'], companies: ['acme'] }
      await service.apply(staffed({ clinics: [CLINIC], tokens: [bare] }))
      return ['bare']
    },
    prints: { id: 'bare', tenantId: TENANT, secret: expect.stringMatching(/^otsk_/) as string },
  },
  'token edit': {
    args: async () => [await issued('edited', 'order.read'), '--scopes', 'order.read,order.list'],
    prints: { object: 'token', id: 'edited', tenantId: TENANT, scopes: ['order.read', 'order.list'] },
  },
  'senders list': { args: () => [], prints: page },
  'senders edit': {
    args: async () => ['R', '--role', 'lab', '--name', 'Ridge', '--of', await issued('line', 'intake.lab', ...RIDGE)],
    prints: { object: 'sender', id: 'R', name: 'Ridge' },
  },
  'token show': { args: () => ['operator'], prints: { object: 'token', id: 'operator' } },
  'token requests': { args: () => ['operator'], prints: page },
  'token list': { args: () => [], prints: expect.arrayContaining([expect.objectContaining({ id: 'operator' })]) },
  'token revoke': {
    args: async () => [await issued('gone', 'order.read')],
    prints: { id: 'gone', tenantId: TENANT, outcome: 'revoked', callbacksEnded: 0 },
  },
  'retention apply': {
    args: async () => [await fileOf({ keep: { notifications: '1 year' } }), '--yes'],
    prints: {
      tenantId: TENANT,
      isDryRun: false,
      counts: [{ kind: 'notifications', due: 0, held: 0, required: 0 }],
      deleted: 0,
    },
  },
  'retention hold': {
    args: async () => ['--order', (await order({ externalId: 'held' })).code, '--reason', 'Case 7'],
    prints: [{ code: expect.any(String) as string, outcome: 'changed' }],
  },
  'retention release': {
    args: async () => ['--order', (await order()).code, '--reason', 'Case 7'],
    prints: [{ outcome: 'unchanged' }],
  },
  'retention holds': { args: () => [], prints: [{ code: expect.any(String) as string, reason: 'Case 7' }] },
  'retention export': { args: async () => ['--order', (await order()).code], prints: { orders: [{}] } },
  'retention erase': {
    args: async () => ['--order', (await order()).code, '--reason', 'Request 1', '--dry-run'],
    prints: [{ outcome: 'open', until: null, section: null }],
  },
  migrate: { args: () => [], prints: { applied: [], sealedAuditDetails: 0, runtimeRole: null } },
  config: { args: () => [], prints: { PORT: 3000, OTS_SMTP_URL: null } },
  doctor: { args: () => [], code: 1, prints: { ok: false, findings: expect.any(Array) as object } },
  'doctor webhook': {
    args: async () => [await fileOf({}), '--secret', 'key', '--header', 'X-Signature: t=1,sha256=00'],
    code: 1,
    prints: { isGenuine: false, reason: expect.any(String) as string, detail: expect.any(String) as string },
  },
  'keys generate': { args: () => [], prints: { key: expect.stringMatching(/^[0-9a-f]{8}:.{43}$/) as string } },
  'keys list': { args: () => [], prints: { keys: [{ isCurrent: true, nodes: [] }], missing: [], nodes: [] } },
  'keys rotate': { args: () => [], prints: { addedKey: null, renewed: { oldAuditDetails: 0 } } },
  'clusters list': { args: () => [], prints: expect.any(Array) as object },
}

describe('--json', SLOW, () => {
  test('every command takes --json and has an example here, or a reason why it prints no document', async () => {
    const actions = actionsOf(await createWholeProgram())
    const without = [...actions].filter(([, { options }]) => !options.some(({ long }) => long === '--json'))
    expect(without.map(([name]) => name)).toEqual([])
    expect([...actions.keys()].toSorted()).toEqual([...Object.keys(EXAMPLES), ...Object.keys(EXCEPTIONS)].toSorted())
  })

  test.each(Object.entries(EXAMPLES))(
    'ots %s --json prints one JSON document and nothing else',
    async (name, { args, token = OPERATOR, code = 0, prints }) => {
      const given = [...name.split(' '), ...(await args()), '--json']
      const done = await ots(given, { ...env, OTS_TOKEN: token })
      expect({ given, code: done.code, stderr: done.stderr }).toEqual({ given, code, stderr: '' })
      const printed: unknown = JSON.parse(done.stdout)
      expect({ printed }).toMatchObject({ printed: prints })
    },
  )

  test('the place of --json does not matter', async () => {
    const after = await ots(['orders', 'list', '--json'], { ...env, OTS_TOKEN: SECRET })
    for (const args of [
      ['--json', 'orders', 'list'],
      ['orders', '--json', 'list'],
    ])
      expect(await ots(args, { ...env, OTS_TOKEN: SECRET })).toEqual(after)
  })

  test('ots orders watch --json prints one line of JSON for each change', async () => {
    const { id } = await order()
    await cancelled(service, id)
    const { stdout } = await ots(['orders', 'watch', id, '--json'], { ...env, OTS_TOKEN: SECRET })
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(stdout)).toMatchObject({ id, status: 'cancelled' })
  })

  test('commands that take several ids print an array, and report refusals at the end', async () => {
    const { id } = await called()
    const callback = await firstOf(`/callbacks?orderId=${id}`)
    const done = await ots(['callbacks', 'end', callback, 'cbk_none', '--json'], env)
    expect(done.code).toBe(1)
    expect(JSON.parse(done.stdout)).toMatchObject([{ object: 'callback', id: callback }])
    expect(JSON.parse(done.stderr)).toMatchObject({
      error: { errors: [{ code: 'notFound', meta: { id: 'cbk_none' } }] },
    })
  })
})
