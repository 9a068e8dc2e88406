import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { applyCatalogs } from '../../src/operations/catalog/files.ts'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import { linkAudit } from '../../src/operations/audit/link.ts'
import { rotateKeys } from '../../src/operations/sealing/rotate-keys.ts'
import { verifyAudit } from '../../src/operations/audit/verify.ts'
import { migrate, ownsSchema, pendingMigrations } from '../../src/store/db/migrate.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { configureRole, readRoleSettings } from '../../src/store/db/role.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { entryAt } from '../audit/given.ts'
import { manyClinics } from '../catalog/many-clinics.ts'
import { OPERATOR, staffed } from '../support/operator.ts'
import { body, PERSON, SECRET } from '../orders/given.ts'
import { twoRoles, type TwoRoles } from '../support/roles.ts'
import { testKeyring } from '../support/service.ts'

let roles: TwoRoles
let pool: Pool
let store: Store
beforeAll(async () => {
  roles = await twoRoles()
  await migrate(roles.pool, { runtimeRole: roles.runtimeRole })
  pool = connect(roles.runtime)
  store = createStore(pool, testKeyring)
})
afterAll(async () => {
  await pool.end()
  await roles.drop()
})

const AUDIT_TABLES = ['audit_entries', 'audit_details', 'audit_links']
const PARTS = ['audit_entries_before', 'audit_entries_of_no_month', 'audit_details_before']

describe('runtime role', () => {
  test('a runtime role serves requests, applies catalogs, does housekeeping and rotates keys without owning anything', async () => {
    await applyCatalogs([{ name: 'file', content: staffed() }], store, { production: false })
    const app = await createServer({ store, logger: pino({ level: 'silent' }), rateLimit: 0 })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const send = (method: string, path: string, secret: string, sent?: unknown) =>
      fetch(origin + path, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(sent !== undefined && { 'content-type': 'application/json' }),
        },
        ...(sent !== undefined && { body: JSON.stringify(sent) }),
      })
    const created = await send(
      'POST',
      '/api/v2/orders',
      SECRET,
      body({ participant: PERSON, orderMatching: { enabled: true } }),
    )
    expect(created.status).toBe(201)
    const { id } = (await created.json()) as { id: string }
    const reason = { reason: 'Placed twice.' }
    expect((await send('PUT', `/api/operator/v1/orders/${id}/cancellation`, OPERATOR, reason)).status).toBe(200)
    await app.close()

    await runHousekeeping(store, new Date())
    await store.keepAuditMonths(new Date())
    await linkAudit(store)
    expect(await verifyAudit('north', store)).toMatchObject({ links: 1, faultCount: 0 })
    expect(await rotateKeys(store)).toMatchObject({ orders: 0 })
    await store.settle()
    expect(await ownsSchema(pool)).toEqual({ role: roles.runtimeRole, isOwner: false })
    expect(await pendingMigrations(pool)).toEqual([])
  })

  test('a runtime role updates statistics of a large catalog at once, though only an owner may analyze', async () => {
    await applyCatalogs([{ name: 'file', content: manyClinics('west', 1_200) }], store, { production: false })
    const [row] = await pool<
      { rows: number }[]
    >`select reltuples::int as rows from pg_class where oid = 'clinics'::regclass`
    expect(row?.rows).toBeGreaterThanOrEqual(1_200)
  })

  test.each([...AUDIT_TABLES, ...PARTS])(
    'a runtime role can append to the audit log and read it, but never rewrite %s',
    async (table) => {
      await store.audit.append([entryAt(1, { reason: 'Why.' })])
      await linkAudit(store)
      expect((await pool`select from audit_entries`).length).toBeGreaterThan(0)
      const column = table.startsWith('audit_entries') ? 'action' : 'entry_id'
      for (const statement of [
        `update ${table} set ${column} = 'x'`,
        `delete from ${table}`,
        `truncate ${table}`,
        `alter table ${table} disable trigger user`,
        `drop table ${table}`,
      ])
        await expect(pool.script(statement)).rejects.toThrow(/permission denied|must be owner/)
    },
  )

  test.each(['audit_checkpoints', 'audit_erasures'])(
    'a runtime role can read %s but not write to it',
    async (table) => {
      await pool.script(`select * from ${table}`)
      await expect(pool.script(`insert into ${table} (tenant_id) values ('north')`)).rejects.toThrow(
        'permission denied',
      )
      await expect(pool.script(`delete from ${table}`)).rejects.toThrow('permission denied')
    },
  )

  test('a runtime role cannot create tables, change privileges or record a migration', async () => {
    for (const statement of [
      'create table mine (id int)',
      `insert into runtime_roles (name) values ('me')`,
      `insert into schema_migrations (name, checksum) values ('9999.sql', '')`,
      'alter function queue_audit_entries() set search_path = pg_temp',
    ])
      await expect(pool.script(statement)).rejects.toThrow(/permission denied|must be owner/)
  })

  test('the owner’s next migration grants a runtime role new tables, and revokes what was granted by hand', async () => {
    await roles.pool.script(
      `create table later (id int generated always as identity, note text);
       grant delete on audit_links, audit_entries_before to ${roles.runtimeRole}`,
    )
    await expect(pool.script('insert into later (note) values (1)')).rejects.toThrow('permission denied')
    await migrate(roles.pool)
    await pool.script(`insert into later (note) values ('x'); update later set note = 'y'; delete from later`)
    for (const table of ['audit_links', 'audit_entries_before'])
      await expect(pool.script(`delete from ${table}`)).rejects.toThrow('permission denied')
    await roles.pool.script('drop table later')
  })

  test('a runtime role sets its own timeouts if the owner may not', async () => {
    await pool.transaction((db) => configureRole(db))
    expect(await readRoleSettings(pool)).toMatchObject({ role: roles.runtimeRole, isComplete: true })
  })
})

describe('ots migrate --runtime-role', () => {
  test.each([
    ['does not exist', 'nobody_at_all', 'There is no role "nobody_at_all". Create it first'],
    ['is a superuser', 'superuser', 'is a superuser'],
    ['is the owner', 'owner', 'owns the schema'],
  ])('migrating for a role that %s is refused', async (_why, which, message) => {
    const [superuser] = await roles.pool<
      { name: string }[]
    >`select rolname as name from pg_roles where rolsuper limit 1`
    const { role: owner } = await ownsSchema(roles.pool)
    const runtimeRole = which === 'superuser' ? superuser!.name : which === 'owner' ? owner : which
    await expect(migrate(roles.pool, { runtimeRole })).rejects.toThrow(message)
  })
})
