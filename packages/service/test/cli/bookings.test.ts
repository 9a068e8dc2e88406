import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATOR } from '../support/operator.ts'
import { created } from '../orders/given.ts'
import { CLINICS, participantWorld } from '../participants/given.ts'
import { ots } from '../support/processes.ts'
import { startService, urlOf, type TestService } from '../support/service.ts'

let folder: string
let service: TestService
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ots-bookings-'))
  service = await startService()
  await service.apply(participantWorld())
  env = {
    OTS_URL: service.origin,
    OTS_TOKEN: OPERATOR,
    OTS_DATA_DIR: join(folder, 'data'),
    DATABASE_URL: urlOf(service.target),
  }
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

/** What a command has to say, one that succeeds. */
async function said(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await ots(words, env)
  expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
  return stdout
}

async function refused(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await ots(words, env)
  expect({ words, code, stdout }).toEqual({ words, code: 1, stdout: '' })
  return stderr
}

describe('ots orders', () => {
  test('book and unbook make a booking, change it and cancel it', async () => {
    const { code } = await created(service)
    expect(await said('orders', 'book', code, 'naperville')).toBe(
      `Order ${code}: it is scheduled. Clinic: Naperville Occupational Health, booked.\n`,
    )
    const at = new Date(Date.now() + 86_400_000).toISOString()
    expect(await said('orders', 'book', code, 'naperville', '--at', at)).toBe(
      `Order ${code}: it is scheduled. Clinic: Naperville Occupational Health, expected ${at}.\n`,
    )
    expect(await said('orders', 'unbook', code)).toBe(`Order ${code}: it is ordered. Clinic: none yet.\n`)
  })

  test('book says what keeps a clinic from being booked, and what would do', async () => {
    const { code } = await created(service)
    expect(await refused('orders', 'book', code, 'closed')).toContain('/clinicId: Unknown or inactive clinic')
    const dear = await refused('orders', 'book', code, 'dear')
    expect(dear).toContain('charges more')
    expect(dear).toContain('set `override` and give a reason')
    expect(await refused('orders', 'book', code, 'dear', '--override')).toContain('/reason')
    await said('orders', 'book', code, 'dear', '--override', '--reason', 'The company pays.')
  })
})

test('ots catalog apply tells of bookings at clinics that it switches off, which ots bookings lists', async () => {
  const { code } = await created(service)
  await said('orders', 'book', code, 'dallas')
  expect(await said('bookings', 'list', '--inactive')).toBe('There are no open bookings.\n')
  expect(await said('bookings', 'list', '--clinic', 'dallas')).toMatch(
    new RegExp(`^${code} +scheduled +any time +Dallas Clinic \\(dallas\\) +Acme, Headquarters\n`),
  )
  const file = join(folder, 'catalog.json')
  const clinics = CLINICS.map((clinic) => (clinic.id === 'dallas' ? { ...clinic, isActive: false } : clinic))
  await writeFile(file, JSON.stringify(participantWorld({ clinics })))
  const told = '  1 open booking at clinics that are switched off by it: see "ots bookings list --inactive"\n'
  expect(await said('catalog', 'diff', file)).toContain(told)
  expect(await said('catalog', 'apply', file)).toBe(`north: 0 added, 1 changed, 0 deactivated\n${told}`)
  const listed = await said('bookings', 'list', '--inactive')
  expect(listed).toContain('Dallas Clinic (dallas, switched off)')
  expect(listed).toMatch(/1 to 1 of 1 booking, the next appointment first\.\n$/)
  expect(JSON.parse(await said('bookings', 'list', '--inactive', '--json'))).toMatchObject({ data: [{ code }] })
  await said('orders', 'book', code, 'naperville')
  expect(await said('bookings', 'list', '--inactive')).toBe('There are no open bookings.\n')
})

test('ots bookings list wants to know which', async () => {
  expect(await refused('bookings', 'list')).toBe('Name a clinic with --clinic, or say --inactive.\n')
  expect((await ots(['bookings', 'list', '--inactive', '--clinic', 'x'], env)).code).toBe(2)
})
