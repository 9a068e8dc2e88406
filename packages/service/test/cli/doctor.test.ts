import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  diagnoseAudit,
  diagnoseChain,
  diagnoseClock,
  diagnoseKeys,
  diagnoseRole,
  diagnoseServer,
  type DatabaseFacts,
  type Finding,
} from '../../src/domain/diagnosis.ts'
import { applyCatalogs } from '../../src/operations/catalog/files.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { connect } from '../../src/store/db/pool.ts'
import { readClockSkew } from '../../src/store/db/inspection.ts'
import { createStore } from '../../src/store/store.ts'
import { recordEntries, tamper } from '../audit/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { freePort, ots } from '../support/processes.ts'
import { twoRoles, type TwoRoles } from '../support/roles.ts'
import { TEST_KEY, testKeyring, urlOf, type TestDatabase } from '../support/service.ts'
import { readDemo } from '../../src/cli/run/demo-catalog.ts'

let folder: string
let roles: TwoRoles
beforeAll(async () => {
  folder = await newFolder()
  roles = await twoRoles()
})
removeFoldersAfterAll()
afterAll(() => roles.drop())

const KEYS = `${TEST_KEY.id}:${TEST_KEY.secret}`

/** The findings of ots doctor, by check. */
async function examine(env: Record<string, string>) {
  const { code, stdout } = await ots(['doctor', '--json'], { OTS_DATA_DIR: folder, OTS_KEYS: KEYS, ...env })
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  const levels = Object.fromEntries(findings.map(({ check, level }) => [check, level]))
  const texts = Object.fromEntries(findings.map(({ check, detail, advice }) => [check, `${detail} ${advice ?? ''}`]))
  return { code, ok, levels, texts }
}

/** Test servers may run without fsync, which is a problem anywhere else. */
const problemsOf = ({ levels }: { levels: Record<string, string> }) =>
  Object.keys(levels).filter((check) => levels[check] === 'problem' && check !== 'durability')

describe('ots doctor', () => {
  test('ots doctor reports an outdated schema as a problem, and says what to run', async () => {
    const { code, ok, levels, texts } = await examine({ DATABASE_URL: urlOf(roles.runtime) })
    expect([code, ok, levels['migrations']]).toEqual([1, false, 'problem'])
    expect(texts['migrations']).toMatch(/lacks 0001_baseline.sql.*Run "ots migrate"/)
  })

  test('ots doctor warns if the service owns the schema, and not if it has its own role', async () => {
    await migrate(roles.pool, { runtimeRole: roles.runtimeRole })
    const owning = await examine({ DATABASE_URL: urlOf(roles.owner) })
    expect([problemsOf(owning), owning.levels['role']]).toEqual([[], 'warning'])
    expect(owning.texts['role']).toMatch(/owns the schema: .* can rewrite the audit log .*ots migrate --runtime-role/)

    const limits = `alter role ${roles.runtimeRole} set statement_timeout = '8s'`
    const own = connect(roles.runtime, { max: 1 })
    await own.script(limits)
    await own.end()
    const two = await examine({ DATABASE_URL: urlOf(roles.runtime) })
    expect([problemsOf(two), two.levels['role'], two.levels['roleSettings']]).toEqual([[], 'ok', 'warning'])
  })

  test('ots doctor reports privileges that were granted or revoked by hand', async () => {
    const DATABASE_URL = urlOf(roles.runtime)
    await roles.pool.script(`grant update on audit_entries to ${roles.runtimeRole}`)
    const given = await examine({ DATABASE_URL })
    await roles.pool.script(`revoke insert on audit_entries from ${roles.runtimeRole}`)
    const taken = await examine({ DATABASE_URL })
    await migrate(roles.pool)
    expect([given.code, given.texts['role']]).toEqual([1, expect.stringContaining('may rewrite audit_entries')])
    expect([taken.code, taken.texts['role']]).toEqual([1, expect.stringContaining('lacks privileges on audit_entries')])
    expect((await examine({ DATABASE_URL })).levels['role']).toBe('ok')
  })

  test('ots doctor reports keys that do not open the stored data', async () => {
    await createStore(roles.pool, testKeyring).keyChecks.note()
    const { code, levels, texts } = await examine({
      DATABASE_URL: urlOf(roles.runtime),
      OTS_KEYS: 'other:another-secret-of-some-length',
    })
    expect([code, levels['keys']]).toEqual([1, 'problem'])
    expect(texts['keys']).toContain('keys that are missing or have another secret now: test')
  })

  test('ots doctor reports an altered audit log', async () => {
    const log = { pool: roles.pool, store: createStore(roles.pool, testKeyring) } as TestDatabase
    await recordEntries(log, 3)
    const DATABASE_URL = urlOf(roles.runtime)
    expect((await examine({ DATABASE_URL })).texts['audit']).toContain('The audit log is intact.')
    await tamper(log, "update audit_entries set action = 'order.create' where action = 'order.cancel'")
    const { code, texts } = await examine({ DATABASE_URL })
    await tamper(log, "update audit_entries set action = 'order.cancel' where action = 'order.create'")
    expect([code, texts['audit']]).toEqual([1, expect.stringMatching(/faults: 1 of tenant "north".*ots audit verify/)])
  })

  test('ots doctor reports secrets of the demo catalog in production, with the command that revokes them', async () => {
    const store = createStore(roles.pool, testKeyring)
    await applyCatalogs([{ name: 'demo', content: await readDemo() }], store, { production: false })
    const DATABASE_URL = urlOf(roles.runtime)
    expect((await examine({ DATABASE_URL })).levels['publicSecrets']).toBe('ok')
    const { code, levels, texts } = await examine({ DATABASE_URL, OTS_MODE: 'production' })
    expect([code, levels['publicSecrets']]).toEqual([1, 'problem'])
    expect(texts['publicSecrets']).toContain('ots token revoke demo --tenant demo')
  })

  test('ruling 55: ots doctor names tenants whose background checks are refused, and what their catalog lacks', async () => {
    const store = createStore(roles.pool, testKeyring)
    const text = { version: '1', en: 'Text of the tenant.' }
    const apply = (texts: object) => {
      const services = [{ id: 'criminal', name: 'Criminal', category: 'background', type: 'criminal', isDot: false }]
      const packages = [{ id: 'records', name: 'Records', services: ['criminal'] }]
      const content = { tenant: { id: 'screening', name: 'Screening', texts }, services, packages }
      return applyCatalogs([{ name: 'file', content }], store, { production: false })
    }
    const DATABASE_URL = urlOf(roles.runtime)
    await apply({ backgroundDisclosure: text })
    expect((await examine({ DATABASE_URL })).levels['backgroundTexts']).toBe('ok')
    const { code, levels, texts } = await examine({ DATABASE_URL, OTS_MODE: 'production' })
    expect([code, levels['backgroundTexts']]).toEqual([1, 'problem'])
    expect(texts['backgroundTexts']).toMatch(
      /\bscreening\b.*backgroundCheckIntegrationNotConfigured.*backgroundAuthorization/,
    )
    await apply({ backgroundDisclosure: text, backgroundAuthorization: text })
    const after = await examine({ DATABASE_URL, OTS_MODE: 'production' })
    expect(after.texts['backgroundTexts'] ?? '').not.toMatch(/\bscreening\b/)
  })

  test('ots doctor reports an unreachable database, and invalid settings', async () => {
    const unreachable = await examine({ DATABASE_URL: `postgres://me@127.0.0.1:${await freePort()}/ots` })
    expect([unreachable.code, unreachable.levels['database']]).toEqual([1, 'problem'])
    const wrong = await examine({ PORT: 'harbour', OTS_ROLE: 'captain' })
    expect([wrong.code, wrong.levels]).toEqual([1, { settings: 'problem' }])
  })

  test('ots doctor prints one line per finding, with advice below it', async () => {
    const { stdout } = await ots(['doctor'], { OTS_DATA_DIR: folder, OTS_KEYS: KEYS, DATABASE_URL: urlOf(roles.owner) })
    expect(stdout).toMatch(/^ok {7}PostgreSQL \d+/m)
    expect(stdout).toMatch(/^warning {2}The role ".+" owns the schema: .+\n {9}Create a role/m)
  })
})

describe('diagnosis', () => {
  const FACTS: DatabaseFacts = {
    versionNumber: 150_004,
    version: '15.4',
    encoding: 'UTF8',
    missingExtensions: [],
    role: 'me',
    isSuperuser: false,
    isOwner: false,
    hasRoleSettings: true,
    missingRights: [],
    rewritable: [],
    unsafeSettings: [],
    isExposed: false,
  }
  const levels = (findings: Finding[]) => findings.filter(({ level }) => level !== 'ok').map(({ check }) => check)

  test('an old server, missing extensions, unsafe settings and unencrypted connections are reported', () => {
    expect(levels(diagnoseServer(FACTS))).toEqual([])
    expect(levels(diagnoseServer({ ...FACTS, versionNumber: 140_010 }))).toEqual(['version'])
    expect(levels(diagnoseServer({ ...FACTS, encoding: 'SQL_ASCII' }))).toEqual(['encoding'])
    expect(levels(diagnoseServer({ ...FACTS, missingExtensions: ['cube'] }))).toEqual(['extensions'])
    expect(levels(diagnoseServer({ ...FACTS, unsafeSettings: ['fsync is off'] }))).toEqual(['durability'])
    expect(levels(diagnoseServer({ ...FACTS, isExposed: true }))).toEqual(['encryption'])
  })

  test('a superuser is reported even if another role owns the schema', () => {
    expect(levels(diagnoseRole({ ...FACTS, isSuperuser: true }))).toEqual(['role'])
    expect(levels(diagnoseRole({ ...FACTS, hasRoleSettings: false }))).toEqual(['roleSettings'])
  })

  test.each([
    [0.5, 0.1, 'ok'],
    [-5, 0.1, 'warning'],
    [5, 4, 'ok'],
    [120, 1, 'problem'],
  ])('a clock that is %s s ahead, with an uncertainty of %s s, is reported as %s', (skew, uncertainty, level) => {
    expect(diagnoseClock(skew, uncertainty).level).toBe(level)
  })

  test('audit entries without a link for long, and missing keys, are reported', () => {
    expect(diagnoseAudit([])).toMatchObject({ level: 'warning', detail: expect.stringContaining('no entries') })
    expect([diagnoseChain(1).level, diagnoseChain(60).level, diagnoseChain(7_200).level]).toEqual([
      'ok',
      'warning',
      'problem',
    ])
    expect([diagnoseKeys([]).level, diagnoseKeys(['a']).level]).toEqual(['ok', 'problem'])
  })

  test('the uncertainty of the clock includes the time of the query', async () => {
    const { skew, uncertainty } = await readClockSkew(roles.pool, () => Date.now() - 100_000)
    expect(Math.abs(skew - 100)).toBeLessThan(1 + uncertainty)
  })
})
