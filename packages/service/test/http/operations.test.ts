import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { expectCommonHeaders, refusalOf } from './answers.ts'
import { exchange } from './raw.ts'
import { NOBODY, placeExampleOrder, prairieCatalog, prairieToken, routed } from './walk.ts'

const SECRET = 'prairie-secret-full'
const CATALOG = prairieCatalog('prairie', [prairieToken(SECRET, { id: 'prairie-token' })])

describe('a running service', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startService()
    await service.apply(CATALOG)
  })

  afterAll(() => service.stop())

  test('the service reports that it is alive and ready', async () => {
    expect(await service.call(NOBODY, '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await service.call(NOBODY, '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  test('metrics show running, waiting and refused requests by kind', async () => {
    const { text } = await service.call(NOBODY, '/metrics')
    for (const name of ['ots_requests_running', 'ots_requests_waiting', 'ots_requests_refused_total'])
      for (const kind of ['read', 'list', 'create', 'result', 'change', 'page', 'token'])
        expect(text).toContain(`${name}{kind="${kind}"} 0`)
    expect(text).toContain('ots_requests_refused_total{kind="body"} 0')
  })

  test('every answer has the security headers', async () => {
    const example = await placeExampleOrder(service, SECRET)
    const answers = [
      ...(await Promise.all(['/healthz', '/readyz', '/metrics'].map((path) => service.call(NOBODY, path)))),
      ...(await Promise.all(routed.map((endpoint) => service.call(SECRET, example(endpoint))))),
    ]
    for (const { status, headers } of answers) {
      expect(status).toBeLessThan(300)
      expectCommonHeaders(headers)
      expect([...headers.keys()]).not.toContain('x-powered-by')
      expect([...headers.keys()]).not.toContain('server')
    }
  })

  test('metrics show request durations by route', async () => {
    await service.call(SECRET, '/api/v2/companies/co-tallow-creek')
    await service.call(SECRET, '/api/v2/companies/missing-one')
    const { status, headers, text } = await service.call(NOBODY, '/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(text).toMatch(/^# TYPE ots_http_request_duration_seconds histogram$/m)
    for (const code of [200, 404]) {
      const labels = `method="GET",route="/api/v2/companies/:id",status="${code}"`
      expect(countOf(text, labels)).toBeGreaterThan(0)
    }
    for (const line of text.split('\n'))
      expect(line).toMatch(/^(|# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? (-?[\d.e+-]+|Nan|[+-]Inf))$/)
  })

  test('metrics count each answer once', async () => {
    const labels = 'method="POST",route="/api/v2/clinics/search",status="200"'
    const count = async () => countOf((await service.call(NOBODY, '/metrics')).text, labels)
    const before = await count()
    for (let i = 0; i < 3; i++)
      await service.call(SECRET, { method: 'POST', path: '/api/v2/clinics/search', body: { query: 'a' } })
    expect(await count()).toBe(before + 3)
  })

  test('metrics contain no request data, so that they cannot grow without limit', async () => {
    await service.call(SECRET, '/api/v2/nothing')
    await service.call(SECRET, '/api/v2/companies/marker')
    const before = (await service.call(NOBODY, '/metrics')).text
    for (let i = 0; i < 20; i++) {
      await service.call(SECRET, `/marker/${i}`)
      await service.call(SECRET, `/api/v2/companies/marker-${i}?marker=${i}`)
      await service.call(`marker-secret-${i}-marker`, {
        method: 'POST',
        path: '/api/v2/clinics/search',
        body: { marker: i },
      })
    }
    const { text } = await service.call(NOBODY, '/metrics')
    expect(text).not.toMatch(/marker|prairie/)
    const series = (all: string) => new Set(all.match(/route="[^"]*"/g))
    expect(series(text)).toEqual(series(before))
  })
})

const countOf = (text: string, labels: string) =>
  Number(text.split(`ots_http_request_duration_seconds_count{${labels}} `)[1]?.split('\n')[0] ?? 0)

describe('the log', () => {
  const MARKER = 'marker-of-what-a-body-holds'
  const MISSPELT = 'kanzas'
  const OF_THE_EXAMPLE_ORDER = ['Lopez', 'maria.', '@', 'receiver-token', 'signing-secret', 'hooks.example.com']
  const lines: string[] = []
  let service: TestService

  beforeAll(async () => {
    service = await startService({
      logger: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    })
    await service.apply(CATALOG)
  })

  afterAll(() => service.stop())

  const search = (body: unknown, headers = {}) =>
    service.call(SECRET, { method: 'POST', path: '/api/v2/clinics/search', body, headers })

  test('the log contains neither tokens nor content of bodies, even at trace level and after failures', async () => {
    const example = await placeExampleOrder(service, SECRET)
    for (const endpoint of routed) await service.call(SECRET, example(endpoint))
    await service.call('wrong-secret-wrong', '/api/v2/companies')
    await service.call('otsk_damaged-secret', '/api/v2/companies')
    await service.call(NOBODY, {
      method: 'GET',
      path: '/api/v2/companies',
      headers: { authorization: `Basic ${SECRET}` },
    })
    await service.call(SECRET, `/api/v2/companies/${MARKER}?access_token=${SECRET}&name=${MARKER}`)
    await service.call(SECRET, `/${MARKER}/%zz`)
    await service.call(SECRET, `/api/v2/${MARKER}`)
    await search(`{"query":"${MARKER}`)
    await search({ query: MARKER, [MARKER]: MARKER })
    await search({ query: MARKER })
    await search(MARKER, { 'content-type': 'text/plain' })
    await search(MARKER.repeat(20_000))
    const garbage = `GET /${MARKER} HTTP/1.1\r\nAuthorization: Bearer ${SECRET}\r\n${MARKER}\r\n\r\n`
    await exchange(service.origin, garbage)
    await exchange(service.origin, `GET / HTTP/1.1\r\nX-Long: ${MARKER.repeat(2_000)}\r\n\r\n`)
    // A database quotes what it was asked, in its messages and in their details.
    await service.pool.script(`
      create or replace function similarity(text, text) returns real language plpgsql as $$
      begin raise exception 'cannot read "%"', $2 using errcode = '22P02', detail = 'Row (' || $2 || ')', hint = $2; end $$`)
    expect(refusalOf(await search({ query: MISSPELT }, { 'x-request-id': 'the-one-that-failed' }))).toBe(
      '500 internalError',
    )
    await service.pool`alter table clinics rename to vanished`
    expect(refusalOf(await search({ near: { postalCode: '60540' } }))).toBe('500 internalError')

    const log = lines.join('')
    for (const word of ['wrong-secret', 'otsk_', 'Bearer', 'Basic', MARKER, MISSPELT, SECRET, ...OF_THE_EXAMPLE_ORDER])
      expect(log).not.toContain(word)
    expect(log).not.toMatch(/authorization/i)
  })

  test('the log of a failure contains what is needed to find its cause', () => {
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const failed = entries.filter(({ msg }) => msg === 'Request failed')
    expect(failed).toHaveLength(2)
    expect(failed[0]).toMatchObject({
      level: 50,
      reqId: 'the-one-that-failed',
      method: 'POST',
      route: '/api/v2/clinics/search',
      err: { code: '22P02', stack: expect.stringContaining('clinics.ts') },
    })
    expect(failed[1]).toMatchObject({ err: { code: '42P01', message: 'relation "clinics" does not exist' } })
  })

  test('the log has a line for every answer at debug level', () => {
    const answered = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'Answered')
    expect(answered).toContainEqual(
      expect.objectContaining({ method: 'GET', route: '/api/v2/companies', status: 200, token: 'prairie-token' }),
    )
    expect(answered).toContainEqual(expect.objectContaining({ route: '/api/v2/companies', status: 401 }))
  })
})

describe('the last use of a token', () => {
  test('the last use of a token is recorded when the service stops', async () => {
    let clock = new Date('2026-06-01T12:00:00Z')
    const service = await startService({ now: () => clock })
    const lastUse = async (id: string) => {
      const [row] = await service.pool<{ lastUsedAt: Date | null }[]>`select last_used_at from tokens where id = ${id}`
      return row?.lastUsedAt
    }
    const catalog = (name: string) =>
      prairieCatalog('prairie', [
        prairieToken(SECRET),
        prairieToken('prairie-secret-unused'),
        { ...prairieToken('prairie-secret-other'), name },
      ])
    await service.apply(catalog('before'))
    await service.call(SECRET, '/api/v2/companies')
    await service.call('prairie-secret-unused'.toUpperCase(), '/api/v2/companies')
    // The token is found anew after a change, and still is one token.
    await service.apply(catalog('after'))
    await sleep(600)
    clock = new Date('2026-06-01T12:00:05.250Z')
    await service.call(SECRET, '/api/v2/companies')
    await service.app.close()
    expect(await lastUse(SECRET)).toEqual(clock)
    expect(await lastUse('prairie-secret-unused')).toBeNull()
    await service.stop()
  })
})
