import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, scopesOf, type Endpoint } from '@order-testing/contract'
import { makeSecret, TOKEN_PREFIX } from '../../src/domain/access/tokens.ts'
import { issueToken, revokeWithCallbacks } from '../../src/operations/access/tokens.ts'
import { PATIENT } from '../support/processes.ts'
import { record } from '../support/record.ts'
import { startService, type TestService } from '../support/service.ts'
import { refusalOf } from './answers.ts'
import { NOBODY, placeExampleOrder, prairieCatalog, prairieToken, routed, type exampleOf } from './walk.ts'
import { countQueries } from './queries.ts'

const SECRET = 'prairie-secret-full'
const scopeSecret = (scope: string) => `only-${scope}-secret`
const START = new Date('2026-06-01T12:00:00Z')
const later = (ms: number) => new Date(START.getTime() + ms).toISOString()

const TOKENS = [
  prairieToken(SECRET),
  prairieToken('prairie-secret-expired', { expiresAt: later(-1) }),
  prairieToken('prairie-secret-expiring', { expiresAt: later(60_000) }),
  prairieToken('prairie-secret-revoked'),
  prairieToken('prairie-secret-dropped'),
  prairieToken('prairie-secret-cut'),
  ...SCOPES.map((scope) => prairieToken(scopeSecret(scope), { scopes: [scope] })),
] as { id: string }[]
const withTokens = (tokens: object[]) => prairieCatalog('prairie', tokens)

let service: TestService
let clock = START
let example: typeof exampleOf

beforeAll(async () => {
  service = await startService({ now: () => clock, policy: { production: true, callbackAllow: [] } })
  await service.apply(withTokens(TOKENS))
  example = await placeExampleOrder(service, SECRET, { resends: 60 })
})

afterAll(() => service.stop())

const UNAUTHENTICATED = ['401 unauthenticated, Bearer']

/** What the operations answer to a header, each answer once: an operation that answers otherwise shows. */
async function answersTo(authorization: string | undefined): Promise<string[]> {
  const answers = new Set<string>()
  for (const endpoint of routed) {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await service.call(NOBODY, { ...example(endpoint), headers })
    answers.add(answer.status < 300 ? 'granted' : `${refusalOf(answer)}, ${answer.headers.get('www-authenticate')}`)
  }
  return [...answers]
}

describe('every operation (Endpoints)', () => {
  test.each(routed)('$name answers its example for a token with the scope', async (endpoint) => {
    const { status } = await service.call(SECRET, example(endpoint))
    expect(Object.keys(endpoint.replies)).toContain(String(status))
  })

  test('every operation is served', () => {
    const served = ({ method, path }: Endpoint) =>
      service.app.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') })
    expect(routed.filter((endpoint) => !served(endpoint))).toEqual([])
  })
})

describe('every operation refuses (Authentication 5)', () => {
  test('every operation refuses a request without a token', async () => {
    expect(await answersTo(undefined)).toEqual(UNAUTHENTICATED)
  })

  test.each([
    ['no scheme', SECRET],
    ['a scheme alone', 'Bearer'],
    ['a scheme and nothing behind it', 'Bearer '],
    ['another scheme', `Basic ${SECRET}`],
    ['a colon behind the scheme', `Bearer: ${SECRET}`],
    ['no space behind the scheme', `Bearer${SECRET}`],
    ['two tokens', `Bearer ${SECRET} ${SECRET}`],
    ['two tokens and a comma', `Bearer ${SECRET}, Bearer ${SECRET}`],
    ['a token in quotes', `Bearer "${SECRET}"`],
    ['a token that nobody has', 'Bearer nobody-has-this-secret'],
    ['a token that was never issued', `Bearer ${makeSecret(randomInt)}`],
    ['a good token in another case', `Bearer ${SECRET.toUpperCase()}`],
    ['an expired token', 'Bearer prairie-secret-expired'],
  ])('every operation refuses a header with %s', async (_, header) => {
    expect(await answersTo(header)).toEqual(UNAUTHENTICATED)
  })

  test('every operation refuses the hash of a valid token', async () => {
    const [row] = await service.pool<{ hash: string }[]>`
      select encode(secret_hash, 'hex') as hash from tokens where id = ${SECRET}`
    expect(row?.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await answersTo(`Bearer ${row?.hash}`)).toEqual(UNAUTHENTICATED)
  })
})

test('in production a damaged token is refused without asking the database', async () => {
  const { secret } = await issueToken(
    {
      tenantId: 'prairie',
      id: 'issued',
      name: 'Issued',
      scopes: SCOPES,
      companyIds: null,
      expiresAt: null,
      rateLimit: null,
    },
    service.store,
    { random: randomInt, record },
  )
  expect(await service.call(secret, '/api/v2/companies')).toMatchObject({ status: 200 })
  const wrong = secret.at(-1) === 'x' ? 'y' : 'x'
  const damaged = [
    secret.slice(0, -1),
    secret.slice(0, -1) + wrong,
    secret.slice(0, 12) + (secret[12] === 'x' ? 'y' : 'x') + secret.slice(13),
    `${secret}x`,
    `${secret.slice(0, 8)}${secret[9]}${secret[8]}${secret.slice(10)}`,
    TOKEN_PREFIX,
  ].filter((each) => each !== secret)
  // Long enough for cached catalog data to need a check, if any caller were looked up.
  await sleep(600)
  // What earlier requests left to be written is written, so that nothing else asks the database meanwhile.
  const usesOfIssued = () => service.store.tokenUses.ofToken({ tenantId: 'prairie', tokenId: 'issued' })
  await expect.poll(async () => (await usesOfIssued()).scopes, PATIENT).toHaveLength(1)
  const queries = countQueries(service.store)
  for (const each of damaged) expect(await answersTo(`Bearer ${each}`)).toEqual(UNAUTHENTICATED)
  expect(queries.stop()).toBe(0)
})

test('an expired token is refused, even if it is cached', async () => {
  const status = async () => (await service.call('prairie-secret-expiring', '/api/v2/companies')).status
  try {
    clock = new Date(later(59_999))
    expect(await status()).toBe(200)
    clock = new Date(later(60_000))
    expect(await status()).toBe(401)
    expect(await answersTo('Bearer prairie-secret-expiring')).toEqual(UNAUTHENTICATED)
  } finally {
    clock = START
  }
})

test('a token that was revoked or removed from its file is refused within a second', async () => {
  for (const secret of ['prairie-secret-revoked', 'prairie-secret-dropped'])
    expect(await service.call(secret, '/api/v2/companies')).toMatchObject({ status: 200 })
  await revokeWithCallbacks({ tenantId: 'prairie', id: 'prairie-secret-revoked' }, service.store, record)
  await service.apply(withTokens(TOKENS.filter(({ id }) => id !== 'prairie-secret-dropped')))
  await sleep(1_000)
  expect(await answersTo('Bearer prairie-secret-revoked')).toEqual(UNAUTHENTICATED)
  expect(await answersTo('Bearer prairie-secret-dropped')).toEqual(UNAUTHENTICATED)
  expect(await service.call(SECRET, '/api/v2/companies')).toMatchObject({ status: 200 })
})

describe('of the nineteen scopes (Authentication 2 and 3)', () => {
  test('there are nineteen scopes', () => expect(new Set(SCOPES).size).toBe(19))

  test.each(SCOPES)('%s permits its own operations and no others', async (scope) => {
    for (const endpoint of routed) {
      const answer = await service.call(scopeSecret(scope), example(endpoint))
      const isGranted = scopesOf(endpoint).length === 0 || scopesOf(endpoint).includes(scope)
      // Only creates and their validation answer 403.
      const refused = `${endpoint.method === 'POST' && endpoint.scope === 'order.create' ? 403 : 401} insufficientScope`
      const challenge = `Bearer error="insufficient_scope", scope="${scopesOf(endpoint).join(' ')}"`
      expect({
        name: endpoint.name,
        answer: answer.status < 300 ? 'granted' : refusalOf(answer),
        challenge: answer.headers.get('www-authenticate'),
      }).toEqual({
        name: endpoint.name,
        answer: isGranted ? 'granted' : refused,
        challenge: isGranted ? null : challenge,
      })
    }
  })
})

test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme %s is accepted', async (scheme) => {
  expect(await answersTo(`${scheme} ${SECRET}`)).toEqual(['granted'])
})

test('a company unlinked during a request is not cached for the next request', async () => {
  const { tokens } = service.store
  const findUsable = tokens.findUsable.bind(tokens)
  tokens.findUsable = async (hash) => {
    const found = await findUsable(hash)
    await sleep(700)
    return found
  }
  const slow = service.call('prairie-secret-cut', '/api/v2/companies')
  await sleep(200)
  tokens.findUsable = findUsable
  await service.apply(
    withTokens(TOKENS.map((each) => (each.id === 'prairie-secret-cut' ? { ...each, companies: [] } : each))),
  )
  await slow
  expect((await service.call('prairie-secret-cut', '/api/v2/companies')).body).toMatchObject({ data: [], total: 0 })
})
