import { writeFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditRow } from '../../src/store/audit/audit.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { entryAt, linkAll, tamper } from '../audit/given.ts'
import { staffed } from '../support/operator.ts'
import { emptyDatabase, loadEarlierDatabase } from '../support/earlier-database.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { freePort, ots, otsProcess, PATIENT, serving, SLOW } from '../support/processes.ts'
import { twoRoles, type TwoRoles } from '../support/roles.ts'
import { TEST_KEY, testKeyring, token, urlOf } from '../support/service.ts'

let folder: string
let roles: TwoRoles
let env: Record<string, string>
let store: Store
beforeAll(async () => {
  folder = await newFolder()
  roles = await twoRoles()
  env = { OTS_DATA_DIR: folder, OTS_KEYS: `${TEST_KEY.id}:${TEST_KEY.secret}`, DATABASE_URL: urlOf(roles.runtime) }
  store = createStore(roles.pool, testKeyring)
})
removeFoldersAfterAll()
afterAll(() => roles.drop())

/** Runs a command that must succeed, and returns its audit entries, oldest first. */
async function entriesOf(args: string[], other: Record<string, string> = {}): Promise<AuditRow[]> {
  const before = (await store.audit.page('north', { limit: 1, page: 1 })).total
  const { code, stderr } = await ots(args, { ...env, ...other })
  expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' })
  const { rows, total } = await store.audit.page('north', { limit: 100, page: 1 })
  return rows.slice(0, total - before).toReversed()
}

describe('a service whose role does not own the schema', SLOW, () => {
  test('a service that does not own an outdated schema says what to run', async () => {
    const { code, stderr } = await otsProcess(['serve'], { ...env, PORT: String(await freePort()) })
    expect([code, stderr.split('\n').length]).toEqual([1, 3])
    expect(stderr).toContain(
      `The schema of the database is not up to date: run "ots migrate --runtime-role ${roles.runtimeRole}" with the DATABASE_URL of the role that owns it (0001_baseline.sql`,
    )
  })

  test('a service that does not own the schema starts once the owner has migrated it', async () => {
    const owner = { ...env, DATABASE_URL: urlOf(roles.owner) }
    const migrated = await ots(['migrate', '--runtime-role', roles.runtimeRole], owner)
    expect([migrated.code, migrated.stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^applied 0001_baseline.sql\n[^]*The role "${roles.runtimeRole}" can run the service.\n$`),
      ),
    ])
    const service = await serving(env, 'Press Ctrl-C')
    try {
      expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
      await store.audit.append([entryAt(1)])
      await expect.poll(() => store.auditChain.head('north').then(({ seq }) => seq), PATIENT).toBe(1)
    } finally {
      expect(await service.end('SIGTERM')).toBe(0)
    }
  })

  test('ots migrate refuses a role that does not own the schema, and says which role can', async () => {
    const { code, stderr } = await ots(['migrate'], env)
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        `The role "${roles.runtimeRole}" does not own the schema. Run this with the DATABASE_URL of the role that does.\n`,
      ),
    ])
  })

  test('with OTS_MIGRATE=off not even the owner migrates the schema, except with ots migrate', async () => {
    const earlier = await emptyDatabase()
    await loadEarlierDatabase(earlier.pool, '0025')
    const owner = { ...env, DATABASE_URL: urlOf(earlier.target), OTS_MIGRATE: 'off' }
    const off = await ots(['token', 'list'], owner)
    const again = await ots(['migrate'], owner)
    await earlier.drop()
    expect([off.code, off.stderr]).toEqual([1, expect.stringMatching(/not up to date: run "ots migrate" \(0026/)])
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^applied 0026_.*\napplied 0001_/m)])
  })
})

describe('a command that works on the database', SLOW, () => {
  const actor = { tokenId: 'local', osUser: userInfo().username, host: hostname() }

  const tenant = ['--tenant', 'north']

  test('ots catalog apply is in the audit log with the user and host that ran it', async () => {
    const later = { ...token('later', { companies: ['acme'] }), secret: undefined }
    const file = join(folder, 'north.json')
    await writeFile(file, JSON.stringify(staffed({ tokens: [later] })))
    expect(await entriesOf(['catalog', 'apply', file])).toMatchObject([
      { ...actor, action: 'catalog.apply', subjectId: 'north', after: { companies: { add: 2 } } },
    ])
    expect(await entriesOf(['catalog', 'apply', file])).toEqual([])
  })

  test('ots token create, issue and revoke are in the audit log with the user and host', async () => {
    expect(await entriesOf(['token', 'create', '--id', 'hr', '--scopes', 'order.read', ...tenant])).toMatchObject([
      { ...actor, action: 'token.create', subjectId: 'hr', after: { scopes: ['order.read'] } },
    ])
    expect(await entriesOf(['token', 'issue', 'later', ...tenant])).toMatchObject([
      { ...actor, action: 'token.issue', subjectId: 'later' },
    ])
    expect(await entriesOf(['token', 'revoke', 'hr', ...tenant])).toMatchObject([
      { ...actor, action: 'token.revoke', subjectId: 'hr' },
    ])
  })

  test('ots token revoke --callbacks end is in the audit log with the number of callbacks, also for a revoked token', async () => {
    for (const id of ['one', 'two'])
      await store.outbox.register('north', {
        id: `cbk_${id}`,
        orderId: 'ord_1',
        tokenId: 'hr-2',
        version: 'v2',
        callback: { url: `https://hooks.example.com/${id}` },
        showsParticipant: true,
        at: new Date(),
      })
    await entriesOf(['token', 'create', '--id', 'hr-2', '--scopes', 'order.read', ...tenant])
    await entriesOf(['token', 'revoke', 'hr-2', '--callbacks', 'keep', ...tenant])
    expect(await entriesOf(['token', 'revoke', 'hr-2', '--callbacks', 'end', ...tenant])).toMatchObject([
      { ...actor, action: 'token.endCallbacks', subjectId: 'hr-2', after: { callbacks: 'end', endedCallbacks: 2 } },
    ])
    expect(await entriesOf(['token', 'revoke', 'hr-2', '--callbacks', 'end', ...tenant])).toEqual([])
  })

  test('ots token create prints the secret even if the audit entry cannot be linked', async () => {
    await roles.pool.script(`revoke insert on audit_links from ${roles.runtimeRole}`)
    const { code, stdout, stderr } = await ots(['token', 'create', '--scopes', 'order.read', ...tenant], env)
    await roles.pool.script(`grant insert on audit_links to ${roles.runtimeRole}`)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^otsk_\S+\n$/)])
    expect(stderr).toContain('Audit entries are not linked yet: permission denied')
  })

  test('a command links all audit entries without a link, however many', async () => {
    for (let i = 0; i < 11; i++)
      await store.audit.append(Array.from({ length: 1_000 }, (_, n) => entryAt(i * 1_000 + n)))
    await entriesOf(['token', 'create', '--id', 'many', '--scopes', 'order.read', ...tenant])
    expect(await store.auditChain.tenantsToLink()).toEqual([])
  })

  test('ots keys rotate is in the audit log with the user and host', async () => {
    expect(await entriesOf(['keys', 'rotate'])).toMatchObject([{ ...actor, action: 'keys.rotate', subjectId: 'test' }])
  })

  test('ots migrate is in the audit log with the user and host', async () => {
    const earlier = await emptyDatabase()
    await loadEarlierDatabase(earlier.pool, '0025')
    expect((await ots(['migrate'], { ...env, DATABASE_URL: urlOf(earlier.target) })).code).toBe(0)
    const { rows } = await createStore(earlier.pool, testKeyring).audit.page('north', {
      action: 'schema.migrate',
      limit: 20,
      page: 1,
    })
    await earlier.drop()
    const migrated = { ...actor, action: 'schema.migrate' }
    expect(rows.toSorted((a, b) => b.subjectId.localeCompare(a.subjectId))).toMatchObject([
      { ...migrated, subjectId: '0026_names.sql' },
      { ...migrated, subjectId: '0014_saved_views.sql' },
      { ...migrated, subjectId: '0012_figures.sql' },
      { ...migrated, subjectId: '0011_tasks.sql' },
      { ...migrated, subjectId: '0010_order_search.sql' },
      { ...migrated, subjectId: '0009_users.sql' },
      { ...migrated, subjectId: '0008_pass.sql' },
      { ...migrated, subjectId: '0007_messages.sql' },
      { ...migrated, subjectId: '0006_agreements.sql' },
      { ...migrated, subjectId: '0005_attempts.sql' },
      { ...migrated, subjectId: '0004_people.sql' },
      { ...migrated, subjectId: '0003_sandbox.sql' },
      { ...migrated, subjectId: '0002_sync_and_callbacks.sql' },
      { ...migrated, subjectId: '0001_baseline.sql' },
    ])
  })

  test('ots keys rotate exits with 1 if the role cannot remove what older keys sealed', async () => {
    const rotating = { ...env, OTS_KEYS: `fresh:the-key-that-comes-after-it,${env['OTS_KEYS']}` }
    const { code, stderr } = await ots(['keys', 'rotate'], rotating)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The rotation is not complete: \d+ copies of audit details/),
    ])
    const owner = await ots(['keys', 'rotate'], { ...rotating, DATABASE_URL: urlOf(roles.owner) })
    expect([owner.code, owner.stderr]).toEqual([0, ''])
    const back = { OTS_KEYS: `${env['OTS_KEYS']},fresh:the-key-that-comes-after-it`, DATABASE_URL: urlOf(roles.owner) }
    expect((await ots(['keys', 'rotate'], { ...env, ...back })).code).toBe(0)
  })

  test('ots migrate by the owner with the keys seals what an earlier release left in plain text', async () => {
    const entry = entryAt(0)
    await store.audit.append([entry])
    await linkAll({ store })
    const details = Buffer.concat([Buffer.alloc(17), Buffer.from('{"reason":"Maria asked."}')])
    await roles.pool`
      insert into audit_details (tenant_id, entry_id, key_id, content) values ('north', ${entry.id}, '', ${details})`
    const doctor = (target: TwoRoles['owner']) => ots(['doctor'], { ...env, DATABASE_URL: urlOf(target) })
    expect((await doctor(roles.runtime)).stdout).toContain('Run "ots keys rotate" as the owner of the schema')
    expect((await doctor(roles.owner)).stdout).toContain('Start the service: it seals them in the background.')
    const owner = { ...env, DATABASE_URL: urlOf(roles.owner) }
    const withoutKeys = await ots(['migrate'], { ...owner, OTS_KEYS: 'other:a-key-of-another-service' })
    expect(withoutKeys.stdout).toContain('Details of audit entries are not sealed: run this again')
    expect((await ots(['migrate'], owner)).stdout).toContain('Sealed the details of 1 audit entry.')
    expect((await doctor(roles.runtime)).stdout).toContain('The details of all audit entries are sealed.')
    await roles.pool`delete from audit_details where entry_id = ${entry.id}`
  })

  test('ots audit verify finds the entries of commands linked and the audit log intact', async () => {
    const { code, stdout } = await ots(['audit', 'verify'], env)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^north: intact\. \d+ entries, head \d+:[0-9a-f]{64}$/m)])
  })

  test('ots audit verify exits with 1 and names the faults, for one tenant or all', async () => {
    const head = await store.auditChain.head('north')
    const noted = ['--tenant', 'north', '--head', `${head.seq}:${head.hash}`]
    expect((await ots(['audit', 'verify', ...noted], env)).code).toBe(0)
    await tamper(
      { pool: roles.pool } as never,
      `update audit_entries set token_id = 'nobody' where id = '${head.entryId}'`,
    )
    const [text, json, unknown, alone] = await Promise.all([
      ots(['audit', 'verify'], env),
      ots(['audit', 'verify', '--json', '--tenant', 'north'], env),
      ots(['audit', 'verify', '--tenant', 'nobody'], env),
      ots(['audit', 'verify', '--head', `1:${head.hash}`], env),
    ])
    expect([text.code, text.stdout]).toEqual([
      1,
      expect.stringContaining(`altered    Entry ${head.entryId} (link ${head.seq}) was altered.`),
    ])
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      1,
      [expect.objectContaining({ tenantId: 'north', faultCount: 1 })],
    ])
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('Unknown tenant "nobody".\n')])
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--head requires --tenant')])
  })
})
