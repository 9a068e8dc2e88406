import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, token, type TestService } from '../support/service.ts'
import { SECRET, world } from '../orders/given.ts'

const LIMITED = 'limited-secret-of-three-requests'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world({ tokens: [token(LIMITED, { rateLimit: 3 })] }))
})
afterAll(() => service.stop())

const PATH = '/api/v2/companies/acme'

const get = (headers: Record<string, string> = {}, path = PATH) =>
  fetch(service.origin + path, { headers: { authorization: `Bearer ${SECRET}`, ...headers } })

/** Headers that differ between any two answers. */
const OWN = new Set(['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset'])

async function comparable(response: Response) {
  const headers = [...response.headers].filter(([name]) => !OWN.has(name))
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() }
}

test('a cached answer is the same as the first one', async () => {
  for (const path of [PATH, '/api/v2/agencies', '/api/v2/packages?limit=1']) {
    const first = await comparable(await get({}, path))
    expect(first.status).toBe(200)
    for (let i = 0; i < 2; i++) expect(await comparable(await get({}, path))).toEqual(first)
  }
})

test('a cached answer has the id of its own request, and is not sent to a client that knows its tag', async () => {
  const { headers } = await get()
  const known = await get({ 'if-none-match': headers.get('etag')!, 'x-request-id': 'mine-1' })
  expect([known.status, known.headers.get('x-request-id'), await known.text()]).toEqual([304, 'mine-1', ''])
  expect((await get()).headers.get('x-request-id')).not.toBe(headers.get('x-request-id'))
})

test('a cached answer counts towards the rate limit', async () => {
  const authorization = `Bearer ${LIMITED}`
  const statuses = []
  for (let i = 0; i < 5; i++) statuses.push((await get({ authorization })).status)
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

test('a cached answer is for its token alone', async () => {
  await get()
  expect((await get({ authorization: 'Bearer unknown' })).status).toBe(401)
  expect((await fetch(service.origin + PATH)).status).toBe(401)
})

test('cached answers are measured and recorded like others', async () => {
  const count = async () => {
    const text = await (await fetch(`${service.origin}/metrics`)).text()
    const line = text
      .split('\n')
      .find((each) => each.includes('duration_seconds_count') && each.includes('companies/:id') && each.includes('200'))
    return Number(line?.split(' ').at(-1))
  }
  await get()
  const before = await count()
  await get({ 'x-request-id': 'mine-2' })
  await get({ 'x-request-id': 'mine-3' })
  expect(await count()).toBe(before + 2)
  const response = await get({}, '/api/sandbox/v1/requests')
  const { data } = (await response.json()) as { data: { requestId: string; answer: { body: string } }[] }
  const recorded = data.filter(({ requestId }) => requestId === 'mine-2' || requestId === 'mine-3')
  expect(recorded.map(({ answer }) => JSON.parse(answer.body).id)).toEqual(['acme', 'acme'])
})

test('a change of the catalog takes effect', async () => {
  const path = '/api/v2/locations'
  const ids = async () => {
    const { data } = (await (await get({}, path)).json()) as { data: { id: string }[] }
    return data.map(({ id }) => id)
  }
  await ids()
  expect(await ids()).toEqual(['hq'])
  await service.apply(world({ locations: [{ id: 'site', name: 'Site' }] }))
  await expect.poll(ids, { timeout: 10_000 }).toHaveLength(2)
})
