import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { ots, OTS, PATIENT, serving, SLOW, type Serving } from '../support/processes.ts'
import { catalogFile, freshDatabase, urlOf } from '../support/service.ts'

const DEMO = new URL('../../catalog/demo.json', import.meta.url)

let folder: string
let env: Record<string, string>
let service: Serving
beforeAll(async () => {
  folder = await newFolder()
  env = { OTS_DATA_DIR: join(folder, 'data') }
  service = await serving(env)
})
removeFoldersAfterAll()
afterAll(() => service.end('SIGTERM'))

const read = (path: string, secret: string) =>
  fetch(service.origin + path, { headers: { authorization: `Bearer ${secret}` } })

describe('ots token next to a running service', SLOW, () => {
  test('ots token create prints a secret that works, list shows the token, and revoke ends it', async () => {
    const words = ['--id', 'hr', '--name', 'HR system', '--scopes', 'company.list,company.read']
    const created = await ots(['token', 'create', ...words, '--companies', 'co-larkmead'], env)
    const secret = created.stdout.trim()
    expect(secret).toMatch(/^otsk_[0-9A-Za-z]{38}$/)
    const companies = (await (await read('/api/v2/companies', secret)).json()) as { total: number }
    expect(companies.total).toBe(1)
    expect((await read('/api/v2/clinics', secret)).status).toBe(401)

    const listed = await ots(['token', 'list'], env)
    expect(listed.stdout).toMatch(/demo +hr +HR system +2 scopes +1 company +active/)
    expect(listed.stdout).not.toContain(secret)

    expect((await ots(['token', 'revoke', 'hr'], env)).stdout).toBe('Token "hr" is revoked.\n')
    await expect.poll(async () => (await read('/api/v2/companies', secret)).status, PATIENT).toBe(401)
    expect((await ots(['token', 'revoke', 'hr'], env)).stdout).toBe('Token "hr" was already revoked.\n')
    expect((await ots(['token', 'list'], env)).stdout).toMatch(/hr +HR system .* revoked/)
  })

  test('ots token create creates operator tokens, which list shows as such', async () => {
    const words = ['--id', 'desk', '--name', 'Front desk', '--scopes', 'operator.*,intake.lab']
    const { stdout, code } = await ots(['token', 'create', ...words], env)
    expect(code).toBe(0)
    expect((await read('/api/operator/v1/orders', stdout.trim())).status).toBe(200)
    expect((await read('/api/v2/companies', stdout.trim())).status).toBe(401)
    const listed = await ots(['token', 'list'], env)
    expect(listed.stdout).toMatch(/desk +Front desk +all operator scopes, 1 intake scope +all companies +active/)
    expect(listed.stdout).toMatch(/demo-operator .* all operator scopes, all intake scopes +all companies +active/)
    expect(listed.stdout).toMatch(/demo +demo +.* all scopes +12 companies +active/)
  })

  test('ruling 57: ots token create binds a token to senders, given one by one or in a file', async () => {
    const file = join(folder, 'senders.json')
    const listed = [{ id: 'FEED', role: 'lab', labs: ['lab-copper-basin'], timezone: 'America/Chicago' }]
    await writeFile(file, JSON.stringify(listed))
    const words = ['--id', 'line', '--scopes', 'intake.lab,intake.mro', '--senders', file]
    const senders = ['--sender', 'HALVORSEN:lab:lab-halvorsen-ridge,lab-tamarack-falls', '--sender', 'urn:mro:1:mro']
    expect((await ots(['token', 'create', ...words, ...senders], env)).code).toBe(0)
    const { stdout } = await ots(['token', 'list', '--json'], env)
    expect((JSON.parse(stdout) as { id: string }[]).find(({ id }) => id === 'line')).toMatchObject({
      senders: [
        ...listed,
        { id: 'HALVORSEN', role: 'lab', labs: ['lab-halvorsen-ridge', 'lab-tamarack-falls'] },
        { id: 'urn:mro:1', role: 'mro' },
      ],
    })
    expect((await ots(['token', 'list'], env)).stdout).toMatch(/line .* 2 intake scopes, 3 senders +all companies/)
    await writeFile(file, '[{"id": "FEED", "role": "king"}]')
    const wrong = await Promise.all([
      ots(['token', 'create', '--scopes', 'intake.lab', '--senders', file], env),
      ots(['token', 'create', '--scopes', 'intake.lab', '--sender', 'HALVORSEN'], env),
      ots(['token', 'create', '--scopes', 'intake.lab', '--sender', 'HALVORSEN:mro'], env),
    ])
    expect(wrong.map(({ code }) => code)).toEqual([2, 2, 1])
    expect(wrong[0].stderr).toContain('/0/role')
    expect(wrong[1].stderr).toContain('Expected id:role')
    expect(wrong[2].stderr).toContain('This role requires the scope intake.mro, which the token lacks.')
  })

  test('ots token create and revoke report invalid options and unknown ids', async () => {
    const mixed = await ots(['token', 'create', '--scopes', 'order.read,operator.*'], env)
    expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining('cannot combine operator.*')])
    const bound = await ots(['token', 'create', '--scopes', 'operator.*', '--companies', 'co-larkmead'], env)
    expect([bound.code, bound.stderr]).toEqual([1, expect.stringContaining('see every company')])
    const unknownScope = await ots(['token', 'create', '--scopes', 'order.reed'], env)
    expect(unknownScope.code).toBe(2)
    expect(unknownScope.stderr).toContain('Unknown scope: order.reed')
    const unknownCompany = await ots(['token', 'create', '--scopes', 'all', '--companies', 'co-nobody'], env)
    expect([unknownCompany.code, unknownCompany.stderr]).toEqual([
      1,
      expect.stringMatching(/^Tenant "demo" has no active company "co-nobody"\.\nDatabase: embedded, in .*\n$/),
    ])
    const taken = await ots(['token', 'create', '--scopes', 'all', '--id', 'demo'], env)
    expect([taken.code, taken.stderr]).toEqual([
      1,
      expect.stringContaining('Tenant "demo" already has a token "demo". Choose another id.\n'),
    ])
    const nobody = await ots(['token', 'revoke', 'nobody'], env)
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('Tenant "demo" has no token "nobody".\n')])
  })
})

describe('ots catalog next to a running service', SLOW, () => {
  test('ots catalog export, diff and apply: a change is shown before, and served soon after', async () => {
    const file = join(folder, 'demo.json')
    const catalog = JSON.parse((await ots(['catalog', 'export'], env)).stdout) as {
      tenant: object
      companies: { id: string; name: string }[]
    }
    await writeFile(file, JSON.stringify(catalog))
    expect((await ots(['catalog', 'diff', '--exit-code', file], env)).stdout).toBe('demo: no changes\n')
    await writeFile(file, JSON.stringify({ ...catalog, tenant: { ...catalog.tenant, name: 'Renamed' } }))
    const renamed = await ots(['catalog', 'diff', '--exit-code', file], env)
    expect([renamed.code, renamed.stdout]).toEqual([1, expect.stringContaining('~ tenants demo (Renamed): name\n')])

    const company = catalog.companies.find(({ id }) => id === 'co-larkmead')!
    company.name = 'Larkmead Renamed'
    await writeFile(file, JSON.stringify(catalog))
    const diff = await ots(['catalog', 'diff', '--exit-code', file], env)
    expect(diff.stdout).toBe(
      'demo: 0 added, 1 changed, 0 deactivated\n  ~ companies co-larkmead (Larkmead Renamed): name\n',
    )
    expect(diff.code).toBe(1)

    expect((await ots(['catalog', 'apply', file], env)).stdout).toBe('demo: 0 added, 1 changed, 0 deactivated\n')
    const readCompany = async () =>
      (await read('/api/v2/companies/co-larkmead', 'demo-token-full-scope-0001')).json() as Promise<object>
    await expect.poll(readCompany, PATIENT).toMatchObject({ name: 'Larkmead Renamed' })
    expect((await ots(['catalog', 'apply', new URL(DEMO).pathname], env)).stdout).toMatch(/1 changed/)
  })

  test('ots catalog apply refuses an invalid file with every problem and its pointer', async () => {
    const file = join(folder, 'bad.json')
    const demo = JSON.parse(await readFile(DEMO, 'utf8')) as { packages: { services: string[] }[]; tennant?: object }
    demo.packages[0]!.services.push('svc-none')
    demo.tennant = {}
    await writeFile(file, JSON.stringify(demo))
    const { code, stderr } = await ots(['catalog', 'apply', file], env)
    expect(code).toBe(1)
    expect(stderr).toContain(`${file}#/tennant: `)
    await writeFile(file, '{"tenant":')
    expect((await ots(['catalog', 'apply', file], env)).stderr).toContain(`${file}: Invalid JSON`)
  })
})

describe('ots token create', () => {
  test.each([
    ['--id', '..', 'An id cannot be'],
    ['--id', 'a'.repeat(256), '255'],
    ['--name', '', '1'],
    ['--expires', '+010000-01-01', 'Expected a year from 1 to 9999'],
  ])('ots token create refuses an invalid %s as a catalog file does (%#)', async (option, value, reason) => {
    const { code, stderr } = await ots(['token', 'create', '--scopes', 'all', option, value], env)
    expect(code).toBe(2)
    expect(stderr).toContain(reason)
  })
})

describe('ots with DATABASE_URL', SLOW, () => {
  test('a command that only reads refuses an outdated schema, and does not change it', async () => {
    const database = await freshDatabase()
    await database.pool`drop schema public cascade`
    await database.pool`create schema public`
    const other = { OTS_DATA_DIR: join(folder, 'other'), DATABASE_URL: urlOf(database.target) }
    const file = join(folder, 'acme.json')
    await writeFile(file, JSON.stringify(catalogFile('acme')))
    for (const words of [
      ['catalog', 'diff', file],
      ['catalog', 'export'],
      ['token', 'list'],
      ['audit', 'verify'],
      ['retention', 'holds'],
    ]) {
      const { code, stderr } = await ots(words, other)
      expect([code, stderr]).toEqual([1, expect.stringContaining('run "ots migrate"')])
    }
    expect(await database.pool`select from pg_tables where schemaname = 'public'`).toHaveLength(0)
    expect((await ots(['migrate'], other)).stdout).toMatch(/^applied 0001_/)
    expect((await ots(['catalog', 'diff', file], other)).stdout).toMatch(/^acme: \d+ added/)
    await database.drop()
  })
})

describe('ots', () => {
  test('ots writes its whole output to a slow reader', async () => {
    const shell = `"${process.execPath}" "${OTS}" catalog export | (sleep 2; cat)`
    const { stdout } = await promisify(execFile)('sh', ['-c', shell], {
      env: { ...process.env, DATABASE_URL: '', ...env },
    })
    expect(stdout.length).toBeGreaterThan(64 * 1024)
    expect(JSON.parse(stdout)).toMatchObject({ tenant: { id: 'demo' } })
  })

  test('ots config prints every setting and no secret', async () => {
    const { stdout } = await ots(['config'], {
      DATABASE_URL: 'postgres://me:hidden@db.example/ots',
      OTS_KEYS: 'hidden-hidden-hidden-hidden',
      OTS_SMTP_URL: 'smtp://user:hidden@mail.example',
    })
    expect(stdout).toContain('DATABASE_URL=postgres://***@db.example/ots\n')
    expect(stdout).toContain('OTS_RATE_LIMIT=1200\n')
    expect(stdout).not.toContain('hidden')
  })

  test('ots --help lists the commands, and an unknown command or option suggests the nearest', async () => {
    const help = await ots(['--help'])
    expect(help.code).toBe(0)
    for (const command of ['serve', 'migrate', 'config', 'catalog', 'token', 'deliveries', 'keys'])
      expect(help.stdout).toContain(command)
    const unknown = await ots(['sreve'])
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('Did you mean serve?')
    const option = await ots(['token', 'list', '--jsn'])
    expect([option.code, option.stderr]).toEqual([2, expect.stringContaining('Did you mean --json?')])
  })
})
