import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { serving, type Serving, PATIENT, SLOW } from '../support/processes.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'
import { documentedRequests, type DocumentedRequest } from './documented.ts'

/** Every example of both OpenAPI documents is a request that succeeds on a fresh sandbox. */

/** Run last, in this order, because they end what other examples need. */
const LAST = [
  'simulateOrder',
  'moveService',
  'cancelOrder',
  'operatorCancelOrder',
  'endOrderCallback',
  'endCallback',
  'endCallbacks',
  'revokeToken',
  'deleteSavedView',
  'applyCatalog',
]

const rank = ({ operationId }: DocumentedRequest) => LAST.indexOf(operationId)
const requests = documentedRequests().toSorted((a, b) => rank(a) - rank(b))

let database: TestDatabase
let sandbox: Serving
let env: Record<string, string>

removeFoldersAfterAll()

beforeAll(async () => {
  database = await freshDatabase()
  env = { DATABASE_URL: urlOf(database.target), OTS_DATA_DIR: await newFolder() }
  sandbox = await serving(env)
  // Notifications can be sent again once they were sent.
  await vi.waitFor(async () => {
    if ((await waiting()).total > 0) throw new Error('Notifications are waiting.')
  }, PATIENT)
}, SLOW.timeout)

afterAll(async () => {
  await sandbox.end('SIGTERM')
  await database.drop()
})

const send = ({
  secret,
  method,
  path,
  headers,
  body,
  type,
}: Omit<DocumentedRequest, 'operationId' | 'endpoint' | 'name'>) =>
  fetch(sandbox.origin + path, {
    method,
    headers: { ...headers, authorization: `Bearer ${secret}`, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
  })

async function read<Answer>(path: string): Promise<Answer> {
  const secret = 'demo-token-operator-0003'
  const answer = await send({ secret, method: 'GET', path: `/api/operator/v1${path}`, headers: {}, type: '' })
  return (await answer.json()) as Answer
}

const waiting = () => read<{ total: number }>('/messages?state=waiting')

test('the tasks of a fresh sandbox are due within two days, and none is overdue', async () => {
  const begun = Date.now()
  const tasks = await vi.waitFor(async () => {
    const { data } = await read<{ data: { reason: string; dueAt: string }[] }>('/tasks?limit=20')
    const reasons = new Set(data.map(({ reason }) => reason))
    expect([...reasons].toSorted()).toEqual(['expiring', 'helpAsked', 'resultUnmatched', 'stuck'])
    return data
  }, PATIENT)
  for (const { dueAt } of tasks) {
    expect(Date.parse(dueAt)).toBeGreaterThan(begun)
    expect(Date.parse(dueAt)).toBeLessThan(begun + 2 * 86_400_000)
  }
})

test.each(requests)('$name succeeds on a fresh sandbox, with an answer as documented', async (request) => {
  const { endpoint, name, type } = request
  // A key is for one body, and the examples of an operation share theirs.
  const headers = { ...request.headers, ...(/"(?!complete)/.test(name) && { 'Idempotency-Key': name }) }
  const answer = await send({ ...request, headers })
  const text = await answer.text()
  expect({ status: answer.status, text }).toMatchObject({ status: expect.toBeOneOf(statusesOf(request)) as unknown })
  expect(answer.headers.get('content-type') ?? 'none').toContain(
    answer.status === 204
      ? 'none'
      : type === 'application/json'
        ? (endpoint.replyType ?? type)
        : (endpoint.otherTypes![type]!.replyType ?? type),
  )
  expect(replyIn(request, answer.status, text)).toMatchObject({ success: true })
})

/** The answer as the contract reads it. An HL7 message is accepted by an acknowledgement. */
function replyIn({ endpoint, type }: DocumentedRequest, status: number, text: string) {
  if (type === 'application/hl7-v2') return { success: text.includes('MSA|AA|') }
  if (type === 'application/x-www-form-urlencoded') return { success: text.includes('<Response>') }
  const isJson = endpoint.replyType === undefined && status !== 204
  return endpoint.reply.safeParse(isJson ? JSON.parse(text) : text || undefined)
}

const statusesOf = ({ endpoint }: DocumentedRequest) => Object.keys(endpoint.replies).map(Number)

const countOrders = async ({ pool }: TestDatabase) => {
  const [row] = await pool<{ count: number }[]>`select count(*)::int as count from orders`
  return row!.count
}

test('a second start places no example orders again', SLOW, async () => {
  const before = await countOrders(database)
  expect(before).toBeGreaterThan(5)
  await sandbox.end('SIGTERM')
  sandbox = await serving(env)
  expect(await countOrders(database)).toBe(before)
})

test('a sandbox with a catalog of its own gets no example orders', SLOW, async () => {
  const other = await freshDatabase()
  const catalog = fileURLToPath(new URL('../../catalog/demo.json', import.meta.url))
  const service = await serving({ ...env, DATABASE_URL: urlOf(other.target), OTS_CATALOG: catalog })
  expect(await countOrders(other)).toBe(0)
  await service.end('SIGTERM')
  await other.drop()
})
