import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints, SCOPES, scopesOf, type Endpoint } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { everyOperation, exampleOf, NOBODY, prairieCatalog, prairieToken } from '../http/walk.ts'
import { startService, type TestService } from '../support/service.ts'

const SECRET = 'prairie-secret-full'
const WITHOUT = 'prairie-secret-without-order-read'
const sandboxOnly = everyOperation.filter(({ isSandboxOnly }) => isSandboxOnly)

let [sandbox, production]: TestService[] = []
beforeAll(async () => {
  sandbox = await startService()
  production = await startService({ policy: { production: true, callbackAllow: [] } })
  const scopes = SCOPES.filter((scope) => scope !== 'order.read')
  for (const each of [sandbox, production])
    await each.apply(prairieCatalog('prairie', [prairieToken(SECRET), prairieToken(WITHOUT, { scopes })]))
})
afterAll(() => Promise.all([sandbox!.stop(), production!.stop()]))

/** The example of an endpoint as a request about a new order. */
async function request(service: TestService, endpoint: Endpoint) {
  const { body } = await service.call(SECRET, exampleOf(endpoints.createOrder))
  return exampleOf(endpoint, endpoint.params && { id: body.id as string })
}

describe('ruling 52: the sandbox API', () => {
  test.each(sandboxOnly)('$name answers its example in a sandbox, for a token with order.read', async (endpoint) => {
    expect(scopesOf(endpoint)).toEqual(['order.read'])
    const answer = await sandbox!.call(SECRET, await request(sandbox!, endpoint))
    expect(Object.keys(endpoint.replies)).toContain(String(answer.status))
    expect(endpoint.reply.safeParse(answer.body)).toMatchObject({ success: true })
    const refused = await sandbox!.call(WITHOUT, await request(sandbox!, endpoint))
    expect(refusalOf(refused)).toBe('401 insufficientScope')
    expect(refusalOf(await sandbox!.call(NOBODY, await request(sandbox!, endpoint)))).toBe('401 unauthenticated')
  })

  test.each(sandboxOnly)('$name is an unknown path in production, whatever the token', async (endpoint) => {
    const { path: _, ...sent } = exampleOf(endpoint)
    const unknown = await production!.call(SECRET, { ...sent, path: '/api/v2/nothing' })
    for (const secret of [SECRET, WITHOUT, NOBODY]) {
      const answer = await production!.call(secret, await request(production!, endpoint))
      expect(answer).toMatchObject({ status: 404, text: unknown.text })
    }
  })
})
