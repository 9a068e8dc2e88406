import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body, cancelled, created, SECRET } from '../orders/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { OPERATOR, staffed } from '../support/operator.ts'
import { ots } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { commands } from './run-commands.ts'

let folder: string
let service: TestService
let env: Record<string, string>
beforeAll(async () => {
  folder = await newFolder()
  service = await startService()
  await service.apply(staffed())
  env = { OTS_URL: service.origin, OTS_TOKEN: SECRET }
})
removeFoldersAfterAll()
afterAll(() => service.stop())

const { outputOf, errorOf } = commands(() => env, 'orders')

const GIVEN = ['--location', 'hq', '--package', 'basic', '--name', 'Ann Mary Lee', '--email', 'ann@example.com']

describe('ots orders create', () => {
  test('ots orders create places an order from options', async () => {
    const callback = ['--callback', 'https://hooks.example.com/x', '--secret', 'key']
    const order = JSON.parse(await outputOf('create', ...GIVEN, '--external-id', 'A-1', ...callback, '--json'))
    expect(order).toMatchObject({
      status: 'ordered',
      externalId: 'A-1',
      testReason: 'preEmployment',
      participant: { firstName: 'Ann', lastName: 'Mary Lee' },
    })
    const { data } = (await service.call(SECRET, `/api/v2/orders/${order.id}/callbacks`)).body
    expect(data).toMatchObject([{ target: 'https://hooks.example.com/x', isSigned: true }])
  })

  test('ots orders create places the order of a file', async () => {
    const file = join(folder, 'order.json')
    await writeFile(file, JSON.stringify(body({ externalId: 'from-file' })))
    expect(await outputOf('create', file)).toMatch(/^Order \S+ was placed: ord_\w+\n$/)
    expect((await service.call(SECRET, '/api/v2/orders?externalId=from-file')).body.total).toBe(1)
  })

  test('ots orders create with the same idempotency key places one order', async () => {
    const key = ['--idempotency-key', 'once']
    expect(await outputOf('create', ...GIVEN, ...key)).toBe(await outputOf('create', ...GIVEN, ...key))
  })

  test('ots orders create with a source places the order of an operator, as the API answers it', async () => {
    const asOperator = ['--token', OPERATOR, '--source', 'portal', '--company', 'acme']
    const order = JSON.parse(await outputOf('create', ...GIVEN.with(5, 'Ann Portal'), ...asOperator, '--json'))
    const read = await service.call(OPERATOR, `/api/operator/v1/orders/${order.id}`)
    expect(read.body).toMatchObject({ source: 'portal', order: { id: order.id, company: { id: 'acme' } } })
    expect(order).toEqual({ ...read.body.order, updatedAt: order.updatedAt })
    const refused = await ots(['orders', 'create', ...GIVEN, '--company', 'acme'], env)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--company requires --source')])
  })

  test('ots orders list and export print the orders of all companies for an operator, masked', async () => {
    const order = await created(service, { externalId: 'HR-export' })
    const asOperator = ['--token', OPERATOR, '--external-id', 'HR-export']
    const listed = JSON.parse(await outputOf('list', ...asOperator, '--json'))
    const path = '/api/operator/v1/orders?externalId=HR-export&participants=masked'
    expect(listed).toEqual((await service.call(OPERATOR, path)).body)
    expect(listed.data).toMatchObject([{ id: order.id, participant: { lastName: 'L.' } }])
    const csv = await outputOf('export', ...asOperator)
    expect(csv.trim().split('\r\n')).toEqual([
      expect.stringMatching(/^id,code,/),
      expect.stringMatching(new RegExp(`^${order.id},${order.code},ordered,Maria L\\.,`)),
    ])
  })

  test('ots orders create says what is missing or wrong', async () => {
    expect(await errorOf('create', '--location', 'hq')).toBe(
      'Give a file, or --location, --package, --name and --email.\n',
    )
    expect(await errorOf('create', join(folder, 'none.json'))).toMatch(/^Cannot read .*none\.json: /)
    expect(await errorOf('create', ...GIVEN.with(1, 'elsewhere'))).toMatch(/\/location: Unknown or inactive location/)
    const both = [join(folder, 'order.json'), '--external-id', 'x']
    expect(await errorOf('create', ...both)).toBe('Give a file or options that describe the order, not both.\n')
    const broken = join(folder, 'broken.json')
    await writeFile(broken, '{')
    expect(await errorOf('create', broken)).toMatch(/broken\.json is not JSON/)
  })
})

describe('ots orders for integrators', () => {
  test('ots orders get and list print orders as the token sees them', async () => {
    const order = await created(service, { externalId: 'shown' })
    expect(await outputOf('get', order.id)).toMatch(new RegExp(`^Order +${order.code}  ${order.id}\n`))
    expect(JSON.parse(await outputOf('get', order.id, '--json'))).toMatchObject({ id: order.id })
    const listing = await outputOf('list', '--external-id', 'shown')
    expect(listing).toMatch(
      new RegExp(`^Order +Status .*\n${order.code}  ordered  .*${order.id}\n\n1 to 1 of 1 order, newest first.\n$`),
    )
    expect(JSON.parse(await outputOf('list', '--limit', '1', '--json'))).toMatchObject({ limit: 1, data: [{}] })
    expect(await outputOf('list', '--external-id', 'nothing')).toBe('No orders.\n')
    expect(await errorOf('get', 'ord_unknown')).toMatch(/404 Not Found/)
  })

  test('ots orders cancel uses the API of its token', async () => {
    const [first, second] = [await created(service), await created(service)]
    expect(await outputOf('cancel', first.id)).toBe(`Order ${first.code} is cancelled.\n`)
    const operator = { ...env, OTS_TOKEN: OPERATOR }
    const without = await ots(['orders', 'cancel', second.id], operator)
    expect([without.code, without.stderr]).toEqual([2, expect.stringMatching(/give a reason with --reason/)])
    const done = await ots(['orders', 'cancel', second.code, '--reason', 'Duplicate.'], operator)
    expect([done.code, done.stdout]).toEqual([0, `Order ${second.code} is cancelled.\n`])
  })

  test('ots orders watch prints the changes of an order and ends when it is closed', async () => {
    const order = await created(service)
    const watching = outputOf('watch', order.id)
    await cancelled(service, order.id)
    const lines = (await watching).trimEnd().split('\n')
    expect(lines.at(-1)).toMatch(new RegExp(`^\\S+Z  ${order.code}  .*cancelled  \\(Urine cancelled\\)$`))
  })

  test('a command without a token says how to get one', async () => {
    const { code, stderr } = await ots(['orders', 'list'], { ...env, OTS_TOKEN: '' })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Set OTS_TOKEN to the secret of an API token/)])
  })
})

describe('ots orders simulate and ots trigger', () => {
  test('ots orders simulate moves an order to an outcome', async () => {
    const order = await created(service)
    expect(await outputOf('simulate', order.id, 'negative')).toMatch(/^Status +negative since /m)
    const other = await created(service)
    const stopped = JSON.parse(await outputOf('simulate', other.id, 'negative', '--until', 'collected', '--json'))
    expect(stopped).toMatchObject({ services: [{ status: 'collected' }] })
    expect(await errorOf('simulate', other.id, 'pregnant')).toMatch(/\/outcome/)
  })

  test('ots trigger places an order that needs no more than a name, and moves it to an outcome', async () => {
    const { code, stdout } = await ots(['trigger', 'negative', '--json'], env)
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: 'negative', participant: { firstName: 'Trigger' } }])
  })
})
