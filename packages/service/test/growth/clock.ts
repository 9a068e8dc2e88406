import { expect, vi } from 'vitest'
import type { TestService } from '../support/service.ts'

const DAY_MS = 86_400_000

const PATH = 'public, clock, pg_catalog'

/**
 * Moves the time of this process and of its database ahead together. The schema `clock` comes before `pg_catalog` in the search
 * path, so that statements call its `now`; defaults of columns were bound when they were created, so they are set anew.
 */
export async function movableClock({ pool }: TestService) {
  await pool.script(`
    create schema clock;
    create table clock.ahead as select interval '0' as by;
    create function clock.now() returns timestamptz stable language sql as
      'select pg_catalog.now() + by from clock.ahead';
    do $$
    declare
      at record;
    begin
      for at in
        select d.adrelid::regclass as of, a.attname as name from pg_attrdef d
        join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
        where pg_get_expr(d.adbin, d.adrelid) = 'now()' loop
        execute format('alter table %s alter column %I set default clock.now()', at.of, at.name);
      end loop;
      execute format('alter database %I set search_path = ${PATH}', current_database());
    end $$`)
  // Sessions keep their search path: end the others, and this one with the next statement.
  await pool`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  await pool`select pg_terminate_backend(pg_backend_pid())`.catch(() => {})
  const path = () => pool.values`select current_setting('search_path')`
  await vi.waitFor(async () => expect(await path()).toEqual([PATH]), 30_000)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  return {
    /** Days pass. */
    async pass(days: number): Promise<void> {
      vi.setSystemTime(Date.now() + days * DAY_MS)
      await pool`update clock.ahead set by = by + ${`${days} days`}::interval`
    },
    stop: () => vi.useRealTimers(),
  }
}
