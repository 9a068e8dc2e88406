import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeId } from '../../src/domain/ids.ts'
import { linkAudit } from '../../src/operations/audit/link.ts'
import { verifyAudit } from '../../src/operations/audit/verify.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { BEFORE_BASELINE, MIGRATIONS, readMigrations, statementsOf } from '../../src/store/db/migration-files.ts'
import { connect } from '../../src/store/db/pool.ts'
import { createStore } from '../../src/store/store.ts'
import { entryAt } from '../audit/given.ts'
import { twoRoles } from '../support/roles.ts'
import { testKeyring } from '../support/service.ts'

const NAME = '0026_audit_by_month.sql'

const migrations = await readMigrations(MIGRATIONS)
const statements = statementsOf(migrations.find(({ name }) => name === NAME)!)

const entryOf = (at: Date) => ({ ...entryAt(1, { reason: 'Why.' }), at, id: makeId('aud', at, randomBytes) })

/** The migrations before this one. */
let path: string
beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'ots-migrations-'))
  await cp(new URL(BEFORE_BASELINE, MIGRATIONS), join(path, BEFORE_BASELINE), { recursive: true })
  for (const name of await readdir(MIGRATIONS))
    if (name.endsWith('.sql') && name < NAME) await cp(new URL(name, MIGRATIONS), join(path, name))
})
afterAll(() => rm(path, { recursive: true }))

test.each(statements.map((statement, i) => [i, statement.split('\n', 1)[0]]))(
  'the audit log is divided by month if the first try ends after %i statements, before "%s"',
  async (done) => {
    const roles = await twoRoles()
    const pool = connect(roles.runtime)
    try {
      await migrate(roles.pool, { folder: pathToFileURL(`${path}/`), runtimeRole: roles.runtimeRole })
      const store = createStore(pool, testKeyring)
      await roles.pool`insert into tenants (id, name, record) values ('north', 'North', '{}')`
      await store.audit.append([entryAt(1, { reason: 'Why.' }), entryAt(2)])
      await roles.pool.script(statements.slice(0, done).join(';\n'))
      await store.audit.append([entryAt(3), entryOf(new Date())])

      expect(await migrate(roles.pool)).toContain(NAME)
      // The last one is of a node whose clock is wrong.
      await store.audit.append([entryAt(5), entryOf(new Date(Date.now() + 400 * 86_400_000))])
      while (await linkAudit(store));
      expect(await verifyAudit('north', store)).toMatchObject({ links: 6, faultCount: 0 })
      for (const table of ['audit_entries', 'audit_entries_before', 'audit_details_before'])
        await expect(pool.script(`delete from ${table}`)).rejects.toThrow('permission denied')
      const [kind] = await roles.pool.values`select relkind::text from pg_class where oid = 'audit_entries'::regclass`
      expect(kind).toBe('p')
    } finally {
      await pool.end()
      await roles.drop()
    }
  },
)
