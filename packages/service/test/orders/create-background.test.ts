import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { PATIENT } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { body, post, world } from './given.ts'

const TEXT = { version: '1', en: 'Text of the tenant.' }
const BOTH = { backgroundDisclosure: TEXT, backgroundAuthorization: TEXT }
const REFUSED = '400 backgroundCheckIntegrationNotConfigured /package'

describe.each([true, false])('ruling 55: background checks (in production: %s)', (production) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ policy: { production, callbackAllow: [] } })
  })
  afterAll(() => service.stop())

  /** A catalog that is already stored: applying it in production would be refused. */
  const store = (texts: object) => {
    const file = world({ settings: { backgroundProvider: 'checkers' } }) as { tenant: object }
    return service.apply({ ...file, tenant: { ...file.tenant, texts } })
  }
  const place = async (id: string, path = '/api/v2/orders') => {
    const answer = await post(service, body({ package: { id } }), { path })
    return answer.status < 300 ? answer.status : refusalOf(answer)
  }

  test('without both texts of the tenant they are refused in production only', async () => {
    for (const texts of [{}, { backgroundDisclosure: TEXT }, { consent: TEXT, backgroundAuthorization: TEXT }]) {
      await store(texts)
      expect(await place('background')).toBe(production ? REFUSED : 201)
      expect(await place('background', '/api/v2/orders/validation')).toBe(production ? REFUSED : 200)
      expect(await place('basic')).toBe(201)
    }
  })

  test('with both texts they are accepted', async () => {
    await store({})
    await store(BOTH)
    await expect.poll(() => place('background'), PATIENT).toBe(201)
  })
})
