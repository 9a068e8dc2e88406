import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrate, pendingMigrations } from '../../src/store/db/migrate.ts'
import { MIGRATIONS, readMigrations } from '../../src/store/db/migration-files.ts'
import { connect } from '../../src/store/db/pool.ts'
import { createStore } from '../../src/store/store.ts'
import { plainTextSealer } from '../../src/operations/sealing/seal-plain-text.ts'
import { twoRoles } from '../support/roles.ts'
import { testKeyring } from '../support/service.ts'
import { emptyDatabase, loadEarlierDatabase, type EmptyDatabase } from '../support/earlier-database.ts'

/** The migrations of a new database. */
const CURRENT = (await readMigrations(MIGRATIONS)).map(({ name }) => name)

let database: EmptyDatabase
beforeEach(async () => {
  database = await emptyDatabase()
})
afterEach(() => database.drop())

/** Tables under the names of the baseline, with the number of rows of each. Lists of tenants, which a migration adds, do not count. */
async function countRows(): Promise<Record<string, number>> {
  const { pool } = database
  const tables = await pool<{ name: string }[]>`
    select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`
  const counts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as count from ${name} ${name === 'order_chunks' ? `where company_id <> ''` : ''}`,
  )
  const rows = await pool<{ name: string; count: number }[]>([counts.join(' union all ')] as never)
  return Object.fromEntries(rows.map(({ name, count }) => [RENAMED[name] ?? name, count]))
}

const RENAMED: Record<string, string> = {
  messages: 'notifications',
  message_attempts: 'notification_attempts',
  message_counts: 'notification_counts',
  result_messages: 'result_reports',
  refused_messages: 'refused_reports',
}

const readNames = async () => {
  const rows = await database.pool<{ name: string }[]>`select name from schema_migrations order by name`
  return rows.map(({ name }) => name)
}

/** A trigger's function that no longer queues entries to be linked. */
const FORGETFUL = `create or replace function queue_audit_entries() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$ begin return null; end $$`

describe('databases of earlier builds', () => {
  test('a database at 0025 gets the new names, is recorded as the baseline and keeps its rows', async () => {
    await loadEarlierDatabase(database.pool, '0025')
    const { schema_migrations: _, ...before } = await countRows()
    expect(Object.values(before).filter((count) => count > 0).length).toBeGreaterThan(25)
    const applied = ['0026_names.sql', ...CURRENT]
    expect(await pendingMigrations(database.pool)).toEqual(applied)
    // Those that run online come last.
    expect((await migrate(database.pool)).toSorted()).toEqual(applied.toSorted())
    const { orders, events } = before
    const added = { order_positions: orders, event_positions: events, event_counts: 1 }
    const sandbox = { sandbox_simulations: 0, sandbox_troubles: 0, sandbox_requests: 0 }
    const people = { help_requests: 0, agreements: 0, agreement_texts: 0, wrong_answers: 0 }
    const search = { search_keys: 0, search_codes: 0, order_blocks: 0 }
    const users = { users: 0, user_invitations: 0, user_sessions: 0, passkeys: 0, sign_in_challenges: 0 }
    const empty = {
      ...people,
      ...users,
      ...search,
      suppressions: 0,
      wallets: 0,
      tasks: 0,
      saved_views: 0,
      service_figures: 0,
      figure_positions: 0,
      nodes: 0,
      receiver_contacts: 0,
      receiver_half_hours: 0,
      token_uses: 0,
      token_requests: 0,
      ...sandbox,
    }
    expect(await countRows()).toEqual({ ...before, ...added, ...empty, schema_migrations: CURRENT.length })
    expect(await readNames()).toEqual(CURRENT)
    expect([await pendingMigrations(database.pool), await migrate(database.pool)]).toEqual([[], []])
  })

  test.each(['0013', '0016', '0019', '0023'])(
    'a database at %s gets the migrations that it lacks first',
    async (last) => {
      await loadEarlierDatabase(database.pool, last)
      const { schema_migrations: _, ...before } = await countRows()
      const applied = await migrate(database.pool)
      const lacking = applied.slice(0, -CURRENT.length)
      expect(lacking.every((name) => name.slice(0, 4) > last)).toBe(true)
      expect(lacking.slice(-2)).toEqual(['0025_one_sealed_answer.sql', '0026_names.sql'])
      expect(applied.slice(-CURRENT.length).toSorted()).toEqual(CURRENT)
      expect(await countRows()).toMatchObject({ ...before, blocking_keys: 1, audit_details: 1 })
      expect(await readNames()).toEqual(CURRENT)
    },
  )

  test('a database at 0013 has its plain text sealed after the upgrade', async () => {
    await loadEarlierDatabase(database.pool, '0013')
    await migrate(database.pool)
    const store = createStore(database.pool, testKeyring)
    const [row] = await database.pool<{ id: string; lastName: string }[]>`
      select id, content -> 'participant' ->> 'lastName' as last_name from orders order by id limit 1`
    expect(await plainTextSealer(store)(Date.now())).toMatchObject({ failed: 0 })
    const plain = await database.pool`
      select from orders where head is not null union all select from callbacks where url is not null
      union all select from result_reports where content_hash is not null
      union all select from notification_attempts where detail is not null`
    expect([plain.length, await store.resealing.countPlainDetails()]).toEqual([0, 0])
    expect((await store.orders.find('north', row!.id))?.participant.lastName).toBe(row!.lastName)
  })

  test('an owner that is not a superuser can upgrade a database for a role that owns nothing', async () => {
    const roles = await twoRoles()
    const runtime = connect(roles.runtime, { max: 1 })
    try {
      await loadEarlierDatabase(roles.pool, '0025')
      await migrate(roles.pool, { runtimeRole: roles.runtimeRole })
      expect(await pendingMigrations(runtime)).toEqual([])
      expect((await runtime`select from notifications`).length).toBeGreaterThan(0)
    } finally {
      await runtime.end()
      await roles.drop()
    }
  })

  test('ruling 57: the upgrade keeps reports of one token that shared an id when ids become unique per token', async () => {
    await loadEarlierDatabase(database.pool, '0013')
    await migrate(database.pool)
    const rows = await database.pool<{ id: string; messageId: string }[]>`
      select id, message_id from result_reports where message_id like 'message-1%' order by id`
    const [first, again] = rows
    expect(rows).toHaveLength(2)
    expect([first?.messageId, again?.messageId]).toEqual(['message-1', `message-1 ${again?.id}`])
  })

  test.each([
    [
      'a column was dropped',
      'alter table orders drop column appointment_at',
      'column orders.appointment_at is missing',
    ],
    ['a column was added', 'alter table messages add column note text', 'column notifications.note is not expected'],
    ['a default was changed', 'alter table deliveries alter attempts set default 1', 'column deliveries.attempts is '],
    [
      'a constraint was dropped',
      'alter table tokens drop constraint tokens_origin_check',
      'tokens_origin_check on tokens',
    ],
    ['an index was dropped', 'drop index messages_due', 'index notifications_due on notifications is missing'],
    ['a table was added', 'create table mine (id int primary key)', 'table mine is not expected'],
    [
      'a trigger was disabled',
      'alter table audit_links disable trigger user',
      'trigger audit_links_stay on audit_links is ',
    ],
    ['a function was replaced', FORGETFUL, 'function queue_audit_entries() has another definition'],
  ])('the upgrade changes nothing and names the difference if %s', async (_what, change, difference) => {
    await loadEarlierDatabase(database.pool, '0025')
    await database.pool.script(change)
    const [rows, names] = [await countRows(), await readNames()]
    await expect(migrate(database.pool)).rejects.toThrow(difference)
    expect([await countRows(), await readNames()]).toEqual([rows, names])
    expect(await database.pool`select to_regclass('messages') is not null as is_there`).toEqual([{ isThere: true }])
  })

  test('the upgrade is refused if an applied migration differs from its file', async () => {
    await loadEarlierDatabase(database.pool, '0025')
    await database.pool`update schema_migrations set checksum = 'x' where name = '0016_doors.sql'`
    await expect(migrate(database.pool)).rejects.toThrow(
      'Migration 0016_doors.sql differs from the one that was applied',
    )
  })

  test('a database with fewer than 13 migrations is refused', async () => {
    await loadEarlierDatabase(database.pool, '0013')
    await database.pool`delete from schema_migrations where name like '0013%'`
    await expect(migrate(database.pool)).rejects.toThrow(/too old to be upgraded: it lacks migration 0013_/)
  })
})
