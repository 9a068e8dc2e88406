import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '@order-testing/contract'
import { operate, OPERATOR, staffed } from '../support/operator.ts'
import { created } from '../orders/given.ts'
import { ots } from '../support/processes.ts'
import { startService, urlOf, type TestService } from '../support/service.ts'

const ORIGIN = 'https://hooks.example.com'

let folder: string
let env: Record<string, string>
let service: TestService
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ots-callbacks-'))
  service = await startService()
  await service.apply(staffed())
  env = {
    OTS_URL: service.origin,
    OTS_TOKEN: OPERATOR,
    DATABASE_URL: urlOf(service.target),
    OTS_DATA_DIR: join(folder, 'data'),
  }
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A token, and an order with a callback that it registered. */
async function registered(url = `${ORIGIN}/orders?key=hidden`) {
  const request = { name: 'Integrator', scopes: [...SCOPES], companies: ['acme'] }
  const token: { id: string; secret: string } = (await operate(service, 'POST', '/tokens', request)).body
  const order: { id: string; code: string } = await created(service, { callback: { url } }, { secret: token.secret })
  const { data } = (await operate(service, 'GET', `/callbacks?orderId=${order.id}`)).body
  return { token, order, id: data[0].id as string }
}

const isActive = async (id: string): Promise<boolean> =>
  (await operate(service, 'GET', `/callbacks/${id}`)).body.isActive

describe('ots callbacks', () => {
  test('list shows those of a token, an order or an origin, without the query of their address', async () => {
    const { token, order, id } = await registered()
    const line = `${id}  ${order.id}  v2 +by ${token.id}  active  ${ORIGIN}/orders\n`
    for (const words of [
      ['--by', token.id],
      ['--order', order.code, '--active'],
      ['--by', token.id, '--origin', `${ORIGIN}/any`],
    ]) {
      const { code, stdout, stderr } = await ots(['callbacks', 'list', ...words], env)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(new RegExp(`${line}\n1 to 1 of 1 callback, newest first\\.\n$`))
    }
    const { stdout } = await ots(['callbacks', 'list', '--by', token.id, '--ended'], env)
    expect(stdout).toBe('No callbacks match.\n')
  })

  test('end ends those that are named, and tells which it could not', async () => {
    const { id } = await registered()
    const { code, stdout, stderr } = await ots(['callbacks', 'end', id, 'cbk_none'], env)
    expect([code, stdout]).toEqual([1, `Callback ${id} to ${ORIGIN}/orders has ended.\n`])
    expect(stderr).toMatch(/^cbk_none: The service refused this: 404 Not Found\n/)
    expect(await isActive(id)).toBe(false)
  })

  test('end ends all of a token only with --yes where nobody can be asked', async () => {
    const { token, id } = await registered()
    const asked = await ots(['callbacks', 'end', '--by', token.id], env)
    expect([asked.code, asked.stderr]).toEqual([
      1,
      '1 active callback will end. Continue?\nNothing was done: say --yes to go ahead.\n',
    ])
    expect(await isActive(id)).toBe(true)
    expect((await ots(['callbacks', 'end', '--by', token.id, '--yes'], env)).stdout).toBe('1 callback has ended.\n')
    expect(await isActive(id)).toBe(false)
  })

  test('end refuses to end all callbacks there are, and ids beside options', async () => {
    expect((await ots(['callbacks', 'end', '--yes'], env)).stderr).toMatch(/^Select callbacks by id, or with --by/)
    expect((await ots(['callbacks', 'end', 'cbk_1', '--by', 'hr'], env)).code).toBe(2)
  })
})

describe('ruling 42: ots token revoke', () => {
  const stateOf = async (id: string): Promise<string> => (await operate(service, 'GET', `/tokens/${id}`)).body.state

  test('asks what becomes of live callbacks, and revokes nothing without an answer', async () => {
    const { token } = await registered()
    const { code, stdout, stderr } = await ots(['token', 'revoke', token.id], env)
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      `Token "${token.id}" has 1 live callback: add --callbacks keep or --callbacks end.\n`,
    ])
    expect(await stateOf(token.id)).toBe('active')
    expect((await ots(['token', 'revoke', token.id, '--callbacks', 'drop'], env)).code).toBe(2)
  })

  test('with --callbacks keep lets them go on, and with --callbacks end ends them, also afterwards', async () => {
    const { token, id } = await registered()
    const kept = await ots(['token', 'revoke', token.id, '--callbacks', 'keep'], env)
    expect([kept.code, kept.stdout]).toEqual([0, `Token "${token.id}" is revoked.\n`])
    expect([await stateOf(token.id), await isActive(id)]).toEqual(['revoked', true])
    const ended = await ots(['token', 'revoke', token.id, '--callbacks', 'end'], env)
    expect(ended.stdout).toBe(`Token "${token.id}" was revoked before. Callbacks ended: 1.\n`)
    expect(await isActive(id)).toBe(false)
  })

  test('revokes a token without live callbacks without asking', async () => {
    const { token, id } = await registered()
    await operate(service, 'DELETE', `/callbacks/${id}`)
    expect((await ots(['token', 'revoke', token.id], env)).stdout).toBe(`Token "${token.id}" is revoked.\n`)
  })
})
