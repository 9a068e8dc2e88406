import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrate, pendingMigrations } from '../../src/store/db/migrate.ts'
import { BASELINE, BEFORE_BASELINE, MIGRATIONS, readMigrations } from '../../src/store/db/migration-files.ts'
import { connect } from '../../src/store/db/pool.ts'
import { emptyDatabase, type EmptyDatabase } from '../support/earlier-database.ts'

test('every migration file has its checksum in SHA256SUMS: applied files are never edited', async () => {
  const earlier = await readMigrations(new URL(BEFORE_BASELINE, MIGRATIONS))
  const files = [
    ...(await readMigrations(MIGRATIONS)),
    ...earlier.map(({ name, ...file }) => ({ ...file, name: BEFORE_BASELINE + name })),
  ]
  const noted = await readFile(new URL('SHA256SUMS', MIGRATIONS), 'utf8')
  expect(files.map(({ name, checksum }) => `${checksum}  ${name}\n`).join('')).toBe(noted)
})

describe('databases that began with the baseline', () => {
  let database: EmptyDatabase
  let path: string
  let folder: URL
  beforeEach(async () => {
    database = await emptyDatabase()
    path = await mkdtemp(join(tmpdir(), 'ots-migrations-'))
    folder = pathToFileURL(`${path}/`)
    await cp(new URL(BEFORE_BASELINE, MIGRATIONS), join(path, BEFORE_BASELINE), { recursive: true })
    await cp(new URL(BASELINE, MIGRATIONS), join(path, BASELINE))
  })
  afterEach(async () => {
    await database.drop()
    await rm(path, { recursive: true })
  })

  test('the rows of every table survive all later migrations', async () => {
    const { pool } = database
    expect(await migrate(pool, { folder })).toEqual([BASELINE])
    await pool.script(await readFile(new URL('baseline-data.sql', import.meta.url), 'utf8'))
    const before = await readTables(database)
    expect(Object.keys(before).filter((table) => before[table]!.length === 0)).toEqual([])

    await cp(MIGRATIONS, path, { recursive: true })
    const real = (await readMigrations(MIGRATIONS)).slice(1).map(({ name }) => name)
    // Those that run online come last.
    expect((await migrate(pool, { folder })).toSorted()).toEqual(real)
    await writeFile(join(path, '9999_made_up.sql'), MADE_UP)
    expect(await migrate(pool, { folder })).toEqual(['9999_made_up.sql'])

    const after = await readTables(database)
    // A migration adds the lists of tenants.
    after['order_chunks'] = after['order_chunks']!.filter((row) => (row as { company_id: string }).company_id !== '')
    expect(after).toMatchObject(before)
    expect([after['orders'], after['made_up']]).toMatchObject([[{ note: 'none' }], [{ order_id: 'ord_1' }]])
  })

  test('lists of many chunks get blocks of 64 chunks, with their counts', async () => {
    const { pool } = database
    await migrateTo('0029')
    await pool`
      insert into order_chunks (tenant_id, company_id, list, start_key, n)
      select 't', 'c', list, case when i = 0 then '' else 'ord_' || lpad(i::text, 3, '0') end, 10
      from (values ('all', 130), ('status ordered', 127)) as l (list, chunks), generate_series(0, chunks - 1) i`
    await cp(MIGRATIONS, path, { recursive: true })
    await migrate(pool, { folder })
    expect(await pool`select company_id, list, start_key, n::int from order_blocks order by 2, 3`).toEqual([
      { companyId: 'c', list: 'all', startKey: '', n: 640 },
      { companyId: 'c', list: 'all', startKey: 'ord_064', n: 640 },
      { companyId: 'c', list: 'all', startKey: 'ord_128', n: 20 },
    ])
  })

  test('positions of events that were deleted go, and are no longer counted', async () => {
    const { pool } = database
    await migrateTo('0035')
    await pool`insert into events (tenant_id, id, order_id, created_at) values ('t', 'evt_2', 'ord_1', now())`
    await pool`
      insert into event_positions (tenant_id, company_id, position, event_id, order_id, is_resend)
      values ('t', 'c', 1, 'evt_1', 'ord_1', false), ('t', 'c', 2, 'evt_2', 'ord_1', false), ('t', 'c', 3, 'evt_1', 'ord_1', true)`
    await pool`insert into event_counts (tenant_id, company_id, n) values ('t', 'c', 2), ('t', 'd', 5)`
    await cp(MIGRATIONS, path, { recursive: true })
    await migrate(pool, { folder })
    expect(await pool.values`select event_id from event_positions`).toEqual(['evt_2'])
    expect(await pool`select company_id, n::int from event_counts order by 1`).toEqual([
      { companyId: 'c', n: 1 },
      { companyId: 'd', n: 5 },
    ])
  })

  /** Applies the migrations up to one, given by its number. */
  async function migrateTo(last: string): Promise<void> {
    for (const { name } of await readMigrations(MIGRATIONS))
      if (name > BASELINE && name.slice(0, 4) <= last) await cp(new URL(name, MIGRATIONS), join(path, name))
    await migrate(database.pool, { folder })
  }

  test('a start is refused if an applied migration differs from its file', async () => {
    await migrate(database.pool, { folder })
    await writeFile(join(path, BASELINE), '-- Another text.')
    await expect(migrate(database.pool, { folder })).rejects.toThrow(
      `Migration ${BASELINE} differs from the one that was applied to this database.`,
    )
  })

  test('a release runs on the schema of the next one, until that removes something', async () => {
    await migrate(database.pool)
    await database.pool`insert into schema_migrations (name, checksum) values ('9998_later.sql', '')`
    expect([await pendingMigrations(database.pool), await migrate(database.pool)]).toEqual([[], []])
    await database.pool`insert into schema_migrations (name, checksum) values ('9999_contract.sql', '')`
    await expect(migrate(database.pool)).rejects.toThrow('migrated by a newer release (9999_contract.sql)')
  })

  describe('an online migration', () => {
    const ONLINE = `-- online
-- A comment; with a semicolon.
create unique index concurrently if not exists tenants_by_name
  on tenants (name);
create index concurrently if not exists tenants_by_length on tenants (length(name));
`
    const indexes = async () =>
      (await database.pool<{ name: string; isValid: boolean }[]>`
        select indexrelid::regclass::text as name, indisvalid as is_valid from pg_index
        where indrelid = 'tenants'::regclass and indexrelid::regclass::text like 'tenants_by%' order by 1`) as object[]
    const BOTH = ['tenants_by_length', 'tenants_by_name'].map((name) => ({ name, isValid: true }))

    test('a new database gets an online migration with the others', async () => {
      await writeFile(join(path, '9999_online.sql'), ONLINE)
      expect(await migrate(database.pool, { folder })).toEqual([BASELINE, '9999_online.sql'])
      expect(await indexes()).toEqual(BOTH)
    })

    test('an online migration that was interrupted begins again, and does not block writers', async () => {
      const { pool } = database
      await migrate(pool, { folder })
      const add = (id: string, name: string) => pool`insert into tenants (id, name) values (${id}, ${name})`
      await add('a', 'Same')
      await add('b', 'Same')
      await writeFile(join(path, '9999_online.sql'), ONLINE)
      await expect(migrate(pool, { folder })).rejects.toThrow('could not create unique index')
      expect(await indexes()).toEqual([{ name: 'tenants_by_name', isValid: false }])
      await pool`update tenants set name = 'Other' where id = 'b'`

      const other = connect(database.target)
      const notes: string[] = []
      // A transaction that has written to the table is waited for; others can still write.
      let migrated: Promise<string[]> | undefined
      await pool.transaction(async (db) => {
        await db`insert into tenants (id, name) values ('c', 'Third')`
        migrated = migrate(other, { folder, onWait: (text) => notes.push(text) })
        await expect.poll(() => notes).toHaveLength(1)
        await other`insert into tenants (id, name) values ('d', 'Fourth')`
      })
      expect(await migrated).toEqual(['9999_online.sql'])
      await other.end()
      expect(notes.map((text) => text.split(' ').slice(0, 3).join(' '))).toEqual([
        '9999_online.sql: drop index',
        '9999_online.sql: create unique',
        '9999_online.sql: create index',
      ])
      expect(await indexes()).toEqual(BOTH)
      expect(await migrate(pool, { folder })).toEqual([])
    })
  })

  test('a database is left as it is if one of several migrations fails', async () => {
    await migrate(database.pool, { folder })
    await writeFile(join(path, '9998_made_up.sql'), 'create table made_up (id int)')
    await writeFile(join(path, '9999_wrong.sql'), 'alter table nothing_like_it add column id int')
    await expect(migrate(database.pool, { folder })).rejects.toThrow('"nothing_like_it" does not exist')
    expect(await readTables(database)).not.toHaveProperty('made_up')
  })
})

const MADE_UP = `
  alter table orders add column note text not null default 'none';
  create table made_up as select id as order_id from orders;`

async function readTables({ pool }: EmptyDatabase): Promise<Record<string, object[]>> {
  const tables = await pool<{ name: string }[]>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and relname <> 'schema_migrations'`
  const read = tables.map(({ name }) => `select '${name}' as name, coalesce(json_agg(t), '[]') as rows from ${name} t`)
  const contents = await pool<{ name: string; rows: object[] }[]>([read.join(' union all ')] as never)
  return Object.fromEntries(contents.map(({ name, rows }) => [name, rows]))
}
