import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATOR } from '../support/operator.ts'
import { created } from '../orders/given.ts'
import { CLINICS, participantWorld } from '../participants/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { ots } from '../support/processes.ts'
import { startService, urlOf, type TestService } from '../support/service.ts'
import { commands } from './run-commands.ts'

let folder: string
let service: TestService
let env: Record<string, string>
beforeAll(async () => {
  folder = await newFolder()
  service = await startService()
  await service.apply(participantWorld())
  env = {
    OTS_URL: service.origin,
    OTS_TOKEN: OPERATOR,
    OTS_DATA_DIR: join(folder, 'data'),
    DATABASE_URL: urlOf(service.target),
  }
})
removeFoldersAfterAll()
afterAll(() => service.stop())

const { outputOf, errorOf } = commands(() => env)

describe('ots orders', () => {
  test('ots orders book makes and changes a booking, and ots orders unbook cancels it', async () => {
    const { code } = await created(service)
    expect(await outputOf('orders', 'book', code, 'naperville')).toBe(
      `Order ${code} is scheduled. Clinic: Naperville Occupational Health, booked.\n`,
    )
    const at = new Date(Date.now() + 86_400_000).toISOString()
    expect(await outputOf('orders', 'book', code, 'naperville', '--at', at)).toBe(
      `Order ${code} is scheduled. Clinic: Naperville Occupational Health, appointment ${at}.\n`,
    )
    expect(await outputOf('orders', 'unbook', code)).toBe(`Order ${code} is ordered. Clinic: none yet.\n`)
  })

  test('ots orders book says why a clinic cannot be booked, and what to do', async () => {
    const { code } = await created(service)
    expect(await errorOf('orders', 'book', code, 'closed')).toContain('/clinicId: Unknown or inactive clinic')
    const dear = await errorOf('orders', 'book', code, 'dear')
    expect(dear).toContain('charges more')
    expect(dear).toContain('set `override` and give a reason')
    expect(await errorOf('orders', 'book', code, 'dear', '--override')).toContain('/reason')
    await outputOf('orders', 'book', code, 'dear', '--override', '--reason', 'The company pays.')
  })
})

test('ots catalog apply counts the bookings at clinics that become inactive, and ots bookings list shows them', async () => {
  const { code } = await created(service)
  await outputOf('orders', 'book', code, 'dallas')
  expect(await outputOf('bookings', 'list', '--inactive')).toBe('No open bookings.\n')
  expect(await outputOf('bookings', 'list', '--clinic', 'dallas')).toMatch(
    new RegExp(`^${code} +scheduled +any time +Dallas Clinic \\(dallas\\) +Acme, Headquarters\n`, 'm'),
  )
  const file = join(folder, 'catalog.json')
  const clinics = CLINICS.map((clinic) => (clinic.id === 'dallas' ? { ...clinic, isActive: false } : clinic))
  await writeFile(file, JSON.stringify(participantWorld({ clinics })))
  const notice = '  1 open booking at clinics that become inactive: see "ots bookings list --inactive"\n'
  expect(await outputOf('catalog', 'diff', file)).toContain(notice)
  expect(await outputOf('catalog', 'apply', file)).toBe(`north: 0 added, 1 changed, 0 deactivated\n${notice}`)
  const listed = await outputOf('bookings', 'list', '--inactive')
  expect(listed).toContain('Dallas Clinic (dallas, inactive)')
  expect(listed).toMatch(/1 to 1 of 1 booking, next appointment first\.\n$/)
  expect(JSON.parse(await outputOf('bookings', 'list', '--inactive', '--json'))).toMatchObject({ data: [{ code }] })
  await outputOf('orders', 'book', code, 'naperville')
  expect(await outputOf('bookings', 'list', '--inactive')).toBe('No open bookings.\n')
})

test('ots bookings list requires a clinic or --inactive', async () => {
  expect(await errorOf('bookings', 'list')).toBe('Give a clinic with --clinic, or use --inactive.\n')
  expect((await ots(['bookings', 'list', '--inactive', '--clinic', 'x'], env)).code).toBe(2)
})

test('ots bookings rebook moves many orders, and exits with 1 if one of them is refused', async () => {
  const [first, second] = [await created(service), await created(service)]
  const at = new Date(Date.now() + 2 * 86_400_000).toISOString()
  const placed = [`${first.code}=naperville@${at}`, `${second.id}=naperville`]
  expect(await outputOf('bookings', 'rebook', ...placed)).toMatch(
    new RegExp(`${first.code} +booked +naperville +${at}.*\n${second.id} +booked +naperville +any time`),
  )
  const mixed = await ots(['bookings', 'rebook', `${first.code}=naperville`, `${second.code}=closed`, '--json'], env)
  expect(mixed.code).toBe(1)
  expect(JSON.parse(mixed.stdout)).toMatchObject({
    object: 'rebookings',
    data: [
      { orderId: first.code, outcome: 'booked' },
      { orderId: second.code, outcome: 'refused', problems: [{ code: 'invalidValue' }] },
    ],
  })
  expect((await ots(['bookings', 'rebook', first.code], env)).code).toBe(2)
})
