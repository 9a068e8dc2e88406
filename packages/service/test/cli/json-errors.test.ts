import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { created, SECRET } from '../orders/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { OPERATOR, staffed } from '../support/operator.ts'
import { ots, SLOW } from '../support/processes.ts'
import { startService, TEST_KEY, urlOf, type TestService } from '../support/service.ts'

let folder: string
let service: TestService
let env: Record<string, string>
beforeAll(async () => {
  folder = await newFolder()
  service = await startService()
  await service.apply(staffed())
  env = {
    OTS_URL: service.origin,
    OTS_TOKEN: OPERATOR,
    DATABASE_URL: urlOf(service.target),
    OTS_DATA_DIR: folder,
    OTS_KEYS: `${TEST_KEY.id}:${TEST_KEY.secret}`,
  }
})
removeFoldersAfterAll()
afterAll(() => service.stop())

describe('errors with --json', SLOW, () => {
  const errorOf = async (args: string[], other: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await ots([...args, '--json'], { ...env, ...other })
    expect({ args, stdout, lines: stderr.split('\n').length }).toEqual({ args, stdout: '', lines: 2 })
    return { code, ...(JSON.parse(stderr) as { error: object }) }
  }

  test('a refusal of the service has its code, detail and pointer', async () => {
    const wrong = ['--location', 'none', '--package', 'basic', '--name', 'Ann Lee', '--email', 'ann@example.com']
    expect(await errorOf(['orders', 'create', ...wrong], { OTS_TOKEN: SECRET })).toMatchObject({
      code: 1,
      error: {
        message: expect.stringContaining('/location: Unknown or inactive location') as string,
        statusCode: 400,
        errors: [{ code: 'invalidValue', detail: expect.any(String) as string, source: { pointer: '/location' } }],
      },
    })
  })

  test('a refusal of a command that works on the database has its code and detail, and names the database', async () => {
    expect(await errorOf(['token', 'revoke', 'nobody'])).toEqual({
      code: 1,
      error: {
        message: 'Tenant "north" has no token "nobody".',
        errors: [{ code: 'notFound', detail: 'Tenant "north" has no token "nobody".' }],
        database: expect.stringMatching(/^postgres:/) as string,
      },
    })
  })

  test('a problem of a catalog file has the file and the pointer', async () => {
    const file = join(folder, 'wrong.json')
    await writeFile(file, '{"tenant": {}}')
    const { error } = await errorOf(['catalog', 'diff', file])
    expect(error).toMatchObject({
      errors: expect.arrayContaining([
        { code: 'required', detail: expect.any(String) as string, source: { file, pointer: '/tenant/id' } },
      ]) as object,
    })
  })

  test('of many problems of a catalog file, twenty are printed and the others counted; --json has them all', async () => {
    const file = join(folder, 'wrong-often.json')
    const clinics = Array.from({ length: 4_233 }, (_, i) => ({ id: `c${i}`, name: `Clinic ${i}`, services: ['none'] }))
    const tenant = { id: 'acme', name: 'Acme' }
    for (const content of [
      { tenant, services: [], packages: [], clinics, companies: [] },
      // Problems of the schema.
      { tenant, services: [], packages: [], clinics: clinics.map(({ id }) => ({ id, name: 1 })), companies: [] },
    ]) {
      await writeFile(file, JSON.stringify(content))
      const { code, stderr } = await ots(['catalog', 'apply', file], env)
      const lines = stderr.split('\n')
      expect([code, lines.filter((line) => line.startsWith(`${file}#/clinics/`)).length]).toEqual([1, 20])
      const { error } = await errorOf(['catalog', 'apply', file])
      const { errors } = error as { errors: unknown[] }
      expect(errors.length).toBeGreaterThanOrEqual(clinics.length)
      expect(lines[20]).toBe(`and ${(errors.length - 20).toLocaleString('en')} more`)
    }
  })

  test('other failures have a message', async () => {
    expect(await errorOf(['orders', 'list'], { OTS_TOKEN: '' })).toMatchObject({
      code: 1,
      error: { message: expect.stringMatching(/^Set OTS_TOKEN/) as string },
    })
    expect(await errorOf(['config'], { PORT: 'x' })).toMatchObject({
      code: 1,
      error: { message: expect.stringContaining('PORT: ') as string },
    })
  })

  test('wrong usage is reported as JSON, too, with the exit code 2', async () => {
    expect(await errorOf(['token', 'lst'])).toEqual({
      code: 2,
      error: { message: "unknown command 'lst'\n(Did you mean list?)" },
    })
    expect(await errorOf(['token'])).toMatchObject({
      code: 2,
      error: { message: expect.stringMatching(/^Missing subcommand/) as string },
    })
    expect(await errorOf(['completion', 'bash'])).toMatchObject({
      code: 2,
      error: { message: expect.stringMatching(/^--json does not apply/) as string },
    })
    expect(await errorOf(['orders', 'list', '--from', 'soon'])).toMatchObject({ code: 2 })
  })

  test('a value that looks like the option is a value', async () => {
    const { code } = await created(service)
    const { stdout } = await ots(['orders', 'cancel', code, '--reason', '--json'], env)
    expect(stdout).toBe(`Order ${code} is cancelled.\n`)
  })
})
