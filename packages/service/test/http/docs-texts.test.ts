import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERROR_CODES } from '@order-testing/contract'
import { body, post, world } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { NOBODY } from './walk.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
})
afterAll(() => service.stop())

test('every error code has an entry on the page that error bodies link to', async () => {
  const { status, text, headers } = await service.call(NOBODY, '/docs/reference/errors')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const code of ERROR_CODES) expect(text).toContain(`id="${code}"`)
  const refused = await service.call('unknown', '/api/v2/companies')
  expect(refused.body.errors[0].meta.docs).toBe('/docs/reference/errors#unauthenticated')
})

test('the deprecation of v1 links to a page that says how to move to v2', async () => {
  const { headers } = await post(service, body(), { path: '/api/v1/orders' })
  const [, path] = /^<([^>]+)>/.exec(headers.get('link')!)!
  const { status, text } = await service.call(NOBODY, path!)
  expect([status, text]).toEqual([200, expect.stringContaining('PUT /api/v2/orders/{id}/callback')])
})
