import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '@order-testing/contract'
import { operate, OPERATOR, staffed } from '../support/operator.ts'
import { created } from '../orders/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { ots } from '../support/processes.ts'
import { startService, urlOf, type TestService } from '../support/service.ts'

const ORIGIN = 'https://hooks.example.com'

let env: Record<string, string>
let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
  env = {
    OTS_URL: service.origin,
    OTS_TOKEN: OPERATOR,
    DATABASE_URL: urlOf(service.target),
    OTS_DATA_DIR: await newFolder(),
  }
})
removeFoldersAfterAll()
afterAll(() => service.stop())

/** Creates a token, and with it an order with a callback. */
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
  test('ots callbacks list filters by token, order and origin, and prints addresses without their query', async () => {
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
    expect(stdout).toBe('No callbacks found.\n')
  })

  test('ots callbacks end ends the given callbacks, and reports those it cannot end', async () => {
    const { id } = await registered()
    const { code, stdout, stderr } = await ots(['callbacks', 'end', id, 'cbk_none'], env)
    expect([code, stdout]).toEqual([1, `Callback ${id} to ${ORIGIN}/orders has ended.\n`])
    expect(stderr).toMatch(/^cbk_none: The service refused this: 404 Not Found\n/)
    expect(await isActive(id)).toBe(false)
  })

  test('ots callbacks end ends all of a token without a terminal only with --yes', async () => {
    const { token, id } = await registered()
    const asked = await ots(['callbacks', 'end', '--by', token.id], env)
    expect([asked.code, asked.stderr]).toEqual([
      1,
      'This ends 1 active callback. Continue?\nNothing was done. Add --yes to confirm without a terminal.\n',
    ])
    expect(await isActive(id)).toBe(true)
    expect((await ots(['callbacks', 'end', '--by', token.id, '--yes'], env)).stdout).toBe('Ended 1 callback.\n')
    expect(await isActive(id)).toBe(false)
  })

  test('ots callbacks end refuses to end all callbacks, and ids together with options', async () => {
    expect((await ots(['callbacks', 'end', '--yes'], env)).stderr).toMatch(/^Give the ids of callbacks, or --by/)
    expect((await ots(['callbacks', 'end', 'cbk_1', '--by', 'hr'], env)).code).toBe(2)
  })
})

describe('ots token revoke', () => {
  const stateOf = async (id: string): Promise<string> => (await operate(service, 'GET', `/tokens/${id}`)).body.state

  test('ruling 42: ots token revoke requires a choice for active callbacks, and revokes nothing without it', async () => {
    const { token } = await registered()
    const { code, stdout, stderr } = await ots(['token', 'revoke', token.id], env)
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringContaining(`Token "${token.id}" has 1 live callback: add --callbacks keep or --callbacks end.\n`),
    ])
    expect(await stateOf(token.id)).toBe('active')
    expect((await ots(['token', 'revoke', token.id, '--callbacks', 'drop'], env)).code).toBe(2)
  })

  test('ruling 42: ots token revoke --callbacks keep keeps the callbacks, and --callbacks end ends them, also later', async () => {
    const { token, id } = await registered()
    const kept = await ots(['token', 'revoke', token.id, '--callbacks', 'keep'], env)
    expect([kept.code, kept.stdout]).toEqual([0, `Token "${token.id}" is revoked.\n`])
    expect([await stateOf(token.id), await isActive(id)]).toEqual(['revoked', true])
    const ended = await ots(['token', 'revoke', token.id, '--callbacks', 'end'], env)
    expect(ended.stdout).toBe(`Token "${token.id}" was already revoked. Callbacks ended: 1.\n`)
    expect(await isActive(id)).toBe(false)
  })

  test('ruling 42: ots token revoke needs no choice for a token without active callbacks', async () => {
    const { token, id } = await registered()
    await operate(service, 'DELETE', `/callbacks/${id}`)
    expect((await ots(['token', 'revoke', token.id], env)).stdout).toBe(`Token "${token.id}" is revoked.\n`)
  })
})
