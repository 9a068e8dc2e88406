import { afterAll, beforeAll } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

export const SECRET = 'acme-secret-full-scope'

/** Starts a service with these catalogs for all tests of a file; requests use the token `SECRET` by default. */
export function serving(...files: object[]) {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
    await service.apply(...files)
  })
  afterAll(() => service.stop())
  const get = async (path: string, secret = SECRET) => service.call(secret, `/api/v2/${path}`)
  const search = async (body: object, secret = SECRET) =>
    service.call(secret, { method: 'POST', path: '/api/v2/clinics/search', body })
  return { service: () => service, get, search }
}

/** The names, or another member, of a page's entries. */
export const members = ({ body }: { body: { data: Record<string, unknown>[] } }, member = 'name') =>
  body.data.map((entry) => entry[member])

/** Formats the problems of a refusal as `status code pointer`. */
export const refusal = ({ status, body }: { status: number; body: { errors: Problem[] } }) =>
  body.errors.map(({ code, source }) => [status, code, source?.pointer].filter(Boolean).join(' '))

interface Problem {
  code: string
  source?: { pointer: string }
}
