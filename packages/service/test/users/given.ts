import { SESSION_COOKIE } from '@order-testing/contract/operator'
import { hashSecret } from '../../src/domain/access/tokens.ts'
import { makeId } from '../../src/domain/ids.ts'
import { DEFAULT_LIMITS, type SessionLimits } from '../../src/domain/users/sessions.ts'
import type { User } from '../../src/domain/users/users.ts'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { startSession } from '../../src/operations/users/sessions.ts'
import type { TestService } from '../support/service.ts'

export const CONSOLE = '/api/console/v1'

type Headers = Record<string, string | undefined>

/** Calls the service as a page of the console would, with the cookie of a session. */
export async function asPage(
  { origin }: { origin: string },
  secret: string | null,
  [method, path, body]: [method: string, path: string, body?: unknown],
  headers: Headers = {},
) {
  const all: Headers = {
    origin,
    'sec-fetch-site': 'same-origin',
    'x-console': '1',
    ...(secret !== null && { cookie: `${SESSION_COOKIE}=${secret}` }),
    ...headers,
  }
  const sent = Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined))
  const response = await fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: { ...sent, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  const parsed: any = isJson ? JSON.parse(text) : null
  return { status: response.status, headers: response.headers, text, body: parsed }
}

/** The value that an answer sets a cookie to; undefined if it sets none. */
export const cookieIn = ({ headers }: { headers: globalThis.Headers }, name: string = SESSION_COOKIE) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .split(';', 1)[0]

const random = new PooledRandom()
let people = 0

/** Adds a person; a test states only what matters. */
export async function addedUser(service: TestService, members: Partial<User> = {}): Promise<User> {
  const createdAt = new Date()
  const user: User = {
    tenantId: 'north',
    id: makeId('usr', createdAt, random.bytes),
    email: `person-${(people += 1)}@example.com`,
    name: `Person ${people}`,
    role: 'administrator',
    isActive: true,
    isDemo: false,
    oidc: null,
    createdAt,
    lastSignInAt: null,
    ...members,
  }
  if (!(await service.store.users.add(user))) throw new Error('There is such a person already.')
  if (!user.isActive) await service.store.users.change(user)
  return user
}

interface SignIn {
  at?: Date
  limits?: SessionLimits
  userAgent?: string
}

/** Signs a person in without any proof; returns the secret of the cookie. */
export async function signedIn(
  service: TestService,
  user: User,
  { at = new Date(), limits = DEFAULT_LIMITS, userAgent = 'Test' }: SignIn = {},
) {
  const context = { store: service.store, production: false, limits, now: () => at, random }
  const browser = { userAgent, address: '127.0.0.1' }
  const { secret, session } = await service.store.transaction((tx) =>
    startSession(user, { method: 'passkey', browser }, tx, context),
  )
  return { secret, session, hash: hashSecret(secret) }
}
