import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/store/db/migrate.ts'
import { cancelled, created, PERSON, stored, world } from '../orders/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { ots } from '../support/processes.ts'
import { twoRoles, type TwoRoles } from '../support/roles.ts'
import { startService, TEST_KEY, urlOf, type TestService } from '../support/service.ts'
import { commands } from './run-commands.ts'

let folder: string
let service: TestService
let env: Record<string, string>
beforeAll(async () => {
  folder = await newFolder()
  service = await startService()
  await service.apply(world())
  env = {
    OTS_DATA_DIR: folder,
    OTS_KEYS: `${TEST_KEY.id}:${TEST_KEY.secret}`,
    DATABASE_URL: urlOf(service.target),
  }
})
removeFoldersAfterAll()
afterAll(() => service.stop())

async function policyFile(keep: object): Promise<string> {
  const path = join(folder, `policy-${Math.random()}.json`)
  await writeFile(path, JSON.stringify({ keep }))
  return path
}

const { outputOf, errorOf } = commands(() => env, 'retention')

describe('ots retention apply', () => {
  test('ots retention apply refuses a period shorter than the law requires, naming the section, and an unreadable file', async () => {
    const short = await policyFile({ regulatedOrders: { positive: '2 years', negative: '30 days' } })
    const [law, wrong, none] = await Promise.all([
      errorOf('apply', short),
      errorOf('apply', await policyFile({ orders: { negative: 'soon' }, parcels: '1 day' })),
      errorOf('apply', join(folder, 'none.json')),
    ])
    expect(law).toContain(
      '#/keep/regulatedOrders/positive: Records of positive results of regulated tests must be kept for at least five years (49 CFR 40.333(a)(1)(ii)).',
    )
    expect(law).toContain('at least one year (49 CFR 40.333(a)(4)).')
    expect(wrong).toContain('#/keep/orders/negative: Expected a period such as "5 years"')
    expect(wrong).toContain('#/keep/parcels')
    expect(none).toContain('Cannot be read')
  })

  test('ots retention apply counts with --dry-run, deletes with --yes, and does nothing without a terminal', async () => {
    await stored(service, { services: [{ status: 'negative' }], createdAt: new Date('2020-01-01') })
    const file = await policyFile({ orders: { negative: '2 years' } })
    const count = async () => (await service.pool`select from orders`).length
    expect(await outputOf('apply', file, '--dry-run')).toBe('orders.negative  1 due\n')
    const asked = await ots(['retention', 'apply', file], env)
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('Nothing was done. Add --yes')])
    expect(await count()).toBe(1)
    expect(await outputOf('apply', file, '--yes')).toBe('orders.negative  1 due\nDeleted 1 record.\n')
    expect(await count()).toBe(0)
    expect(await outputOf('apply', file, '--yes')).toBe('No records are past their period.\n')
  })
})

describe('ots retention apply for a tenant', () => {
  test('ots retention apply refuses an unknown tenant, and another tenant than that of the policy', async () => {
    const file = join(folder, 'north.json')
    await writeFile(file, JSON.stringify({ tenant: 'north', keep: {} }))
    const [unknown, other] = await Promise.all([
      errorOf('apply', await policyFile({}), '--tenant', 'nobody'),
      errorOf('apply', file, '--tenant', 'south'),
    ])
    expect([unknown, other]).toEqual([
      'Unknown tenant "nobody".\n',
      'The policy is for tenant "north", not for "south".\n',
    ])
  })
})

describe('ots retention hold, holds and release', () => {
  test('ots retention hold, holds and release place, list and end a legal hold with its reason', async () => {
    const order = await created(service)
    await cancelled(service, order.id)
    expect(await outputOf('hold', '--order', order.code, '--reason', 'Case 7.')).toBe(`Order ${order.code} is held.\n`)
    expect(await outputOf('holds')).toMatch(new RegExp(`^Order +Since +Reason\n${order.code}  \\S+Z  Case 7\\.\n$`))
    const erase = ['retention', 'erase', '--order', order.id, '--reason', 'Asked.']
    const nothing = `Order ${order.code} is under legal hold: nothing is erased.\n`
    expect(await ots([...erase, '--yes'], env)).toMatchObject({
      code: 1,
      stdout: nothing,
      stderr: 'Not erased: 1 of 1 order.\n',
    })
    expect(await ots([...erase, '--dry-run'], env)).toMatchObject({ code: 0, stdout: nothing, stderr: '' })
    expect(await outputOf('release', '--order', order.code, '--reason', 'Over.')).toBe(
      `Order ${order.code} is released.\n`,
    )
    expect(await outputOf('holds')).toBe('No legal holds.\n')
  })
})

describe('ots retention export and erase', () => {
  test('ots retention export prints everything about a person, and ots retention erase erases it', async () => {
    const order = await created(service, { participant: PERSON })
    await cancelled(service, order.id)
    const exported = JSON.parse(await outputOf('export', '--order', order.code, '--person')) as {
      orders: { order: object }[]
    }
    expect(exported.orders.map((each) => each.order)).toMatchObject([
      { code: order.code, participant: { lastName: 'Lopez' } },
    ])
    const args = ['--order', order.code, '--person', '--reason', 'Asked.']
    expect(await outputOf('erase', ...args, '--dry-run')).toBe(`Order ${order.code} will be erased.\n`)
    expect(await outputOf('erase', ...args, '--yes')).toBe(`Order ${order.code} is erased.\n`)
    expect(await errorOf('export', '--order', order.code)).toBe(`Tenant "north" has no order "${order.code}".\n`)
  })

  test('ots retention erase erases closed orders, and exits with 1 if an order is still open', async () => {
    const birthDate = '1971-01-02'
    const [closed, open] = [
      await created(service, { participant: { ...PERSON, birthDate } }),
      await created(service, { participant: { ...PERSON, birthDate } }),
    ]
    await cancelled(service, closed.id)
    const args = ['retention', 'erase', '--order', closed.code, '--person', '--reason', 'Asked.', '--yes']
    const { code, stdout, stderr } = await ots(args, env)
    expect([code, stderr]).toEqual([1, 'Not erased: 1 of 2 orders.\n'])
    expect(stdout).toContain(`Order ${closed.code} is erased.\n`)
    expect(stdout).toContain(`Order ${open.code} is still open`)
  })

  describe('with the role of the service', () => {
    let roles: TwoRoles
    beforeAll(async () => {
      roles = await twoRoles()
      await migrate(roles.pool, { runtimeRole: roles.runtimeRole })
      await roles.pool`insert into tenants (id, name) values ('north', 'North')`
    })
    afterAll(() => roles.drop())

    test('ots retention erase and apply require the owner of the schema', async () => {
      const other = { ...env, DATABASE_URL: urlOf(roles.runtime) }
      const erase = ['retention', 'erase', '--order', 'ord_1', '--reason', 'Asked.', '--yes']
      const prune = ['retention', 'apply', await policyFile({ audit: '1 month' }), '--yes']
      const ended = await Promise.all([ots(erase, other), ots(prune, other)])
      for (const { code, stderr } of ended)
        expect([code, stderr]).toEqual([1, expect.stringContaining('the owner of the schema can')])
    })
  })
})
