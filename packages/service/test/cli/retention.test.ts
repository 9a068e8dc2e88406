import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/store/db/migrate.ts'
import { cancelled, created, PERSON, stored, world } from '../orders/given.ts'
import { ots } from '../support/processes.ts'
import { twoRoles, type TwoRoles } from '../support/roles.ts'
import { startService, TEST_KEY, urlOf, type TestService } from '../support/service.ts'

let folder: string
let service: TestService
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ots-retention-'))
  service = await startService()
  await service.apply(world())
  env = {
    OTS_DATA_DIR: folder,
    OTS_KEYS: `${TEST_KEY.id}:${TEST_KEY.secret}`,
    DATABASE_URL: urlOf(service.target),
  }
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

async function policyFile(keep: object): Promise<string> {
  const path = join(folder, `policy-${Math.random()}.json`)
  await writeFile(path, JSON.stringify({ keep }))
  return path
}

/** What a command says that succeeds. */
async function said(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await ots(['retention', ...words], env)
  expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
  return stdout
}

/** What a command says that is refused. */
async function refused(...words: string[]): Promise<string> {
  const { code, stderr } = await ots(['retention', ...words], env)
  expect({ words, code }).toEqual({ words, code: 1 })
  return stderr
}

describe('ots retention apply', () => {
  test('refuses a policy that is shorter than the law, naming the section, and one that cannot be read', async () => {
    const short = await policyFile({ regulatedOrders: { positive: '2 years', negative: '30 days' } })
    const [law, wrong, none] = await Promise.all([
      refused('apply', short),
      refused('apply', await policyFile({ orders: { negative: 'soon' }, parcels: '1 day' })),
      refused('apply', join(folder, 'none.json')),
    ])
    expect(law).toContain(
      '#/keep/regulatedOrders/positive: Records of positive results of regulated tests must be kept for at least five years (49 CFR 40.333(a)(1)(ii)).',
    )
    expect(law).toContain('at least one year (49 CFR 40.333(a)(4)).')
    expect(wrong).toContain('#/keep/orders/negative: Expected a period such as "5 years"')
    expect(wrong).toContain('#/keep/parcels')
    expect(none).toContain('Cannot be read')
  })

  test('counts with --dry-run, deletes with --yes, and does nothing where nobody can be asked', async () => {
    await stored(service, { services: [{ status: 'negative' }], createdAt: new Date('2020-01-01') })
    const file = await policyFile({ orders: { negative: '2 years' } })
    const count = async () => (await service.pool`select from orders`).length
    expect(await said('apply', file, '--dry-run')).toBe('orders.negative  1 due\n')
    const asked = await ots(['retention', 'apply', file], env)
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('Nothing was done: say --yes')])
    expect(await count()).toBe(1)
    expect(await said('apply', file, '--yes')).toBe('orders.negative  1 due\nDeleted 1 record.\n')
    expect(await count()).toBe(0)
    expect(await said('apply', file, '--yes')).toBe('Nothing is past its period.\n')
  })
})

describe('ots retention apply for a tenant', () => {
  test('refuses one that is not there, and another than the policy is for', async () => {
    const file = join(folder, 'north.json')
    await writeFile(file, JSON.stringify({ tenant: 'north', keep: {} }))
    const [unknown, other] = await Promise.all([
      refused('apply', await policyFile({}), '--tenant', 'nobody'),
      refused('apply', file, '--tenant', 'south'),
    ])
    expect([unknown, other]).toEqual([
      'There is no tenant "nobody".\n',
      'The policy is for tenant "north", not for "south".\n',
    ])
  })
})

describe('ots retention hold, holds and release', () => {
  test('place, list and end a legal hold, with the reason', async () => {
    const order = await created(service)
    await cancelled(service, order.id)
    expect(await said('hold', '--order', order.code, '--reason', 'Case 7.')).toBe(`Order ${order.code} is held.\n`)
    expect(await said('holds')).toMatch(new RegExp(`^${order.code}  \\S+Z  Case 7\\.\n$`))
    const erase = ['retention', 'erase', '--order', order.id, '--reason', 'Asked.']
    const nothing = `Order ${order.code} is under a legal hold: nothing is erased.\n`
    expect(await ots([...erase, '--yes'], env)).toMatchObject({
      code: 1,
      stdout: nothing,
      stderr: 'Not erased: 1 of 1 order.\n',
    })
    expect(await ots([...erase, '--dry-run'], env)).toMatchObject({ code: 0, stdout: nothing, stderr: '' })
    expect(await said('release', '--order', order.code, '--reason', 'Over.')).toBe(`Order ${order.code} is released.\n`)
    expect(await said('holds')).toBe('There are no legal holds.\n')
  })
})

describe('ots retention export and erase', () => {
  test('print what is on file about a person, and then erase it', async () => {
    const order = await created(service, { participant: PERSON })
    await cancelled(service, order.id)
    const exported = JSON.parse(await said('export', '--order', order.code, '--person')) as {
      orders: { order: object }[]
    }
    expect(exported.orders.map((each) => each.order)).toMatchObject([
      { code: order.code, participant: { lastName: 'Lopez' } },
    ])
    const words = ['--order', order.code, '--person', '--reason', 'Asked.']
    expect(await said('erase', ...words, '--dry-run')).toBe(`Order ${order.code} will be erased.\n`)
    expect(await said('erase', ...words, '--yes')).toBe(`Order ${order.code} is erased.\n`)
    expect(await refused('export', '--order', order.code)).toBe(`Tenant "north" has no order "${order.code}".\n`)
  })

  test('erase what can be erased, and end with 1 where an order is still open', async () => {
    const birthDate = '1971-01-02'
    const [closed, open] = [
      await created(service, { participant: { ...PERSON, birthDate } }),
      await created(service, { participant: { ...PERSON, birthDate } }),
    ]
    await cancelled(service, closed.id)
    const words = ['retention', 'erase', '--order', closed.code, '--person', '--reason', 'Asked.', '--yes']
    const { code, stdout, stderr } = await ots(words, env)
    expect([code, stderr]).toEqual([1, 'Not erased: 1 of 2 orders.\n'])
    expect(stdout).toContain(`Order ${closed.code} is erased.\n`)
    expect(stdout).toContain(`Order ${open.code} is still open`)
  })

  describe('as the role that the service runs as', () => {
    let roles: TwoRoles
    beforeAll(async () => {
      roles = await twoRoles()
      await migrate(roles.pool, { runtimeRole: roles.runtimeRole })
      await roles.pool`insert into tenants (id, name) values ('north', 'North')`
    })
    afterAll(() => roles.drop())

    test('erasing and pruning are refused: they take the owner', async () => {
      const other = { ...env, DATABASE_URL: urlOf(roles.runtime) }
      const erase = ['retention', 'erase', '--order', 'ord_1', '--reason', 'Asked.', '--yes']
      const prune = ['retention', 'apply', await policyFile({ audit: '1 month' }), '--yes']
      const ended = await Promise.all([ots(erase, other), ots(prune, other)])
      for (const { code, stderr } of ended)
        expect([code, stderr]).toEqual([
          1,
          expect.stringContaining('takes the owner of the schema: run this with its DATABASE_URL'),
        ])
    })
  })
})
