import type { Db } from './db.ts'

const SCRATCH = 'ots_baseline'

/**
 * Compares the current schema with the one that a script creates, and names each difference. The script runs in a scratch schema
 * that is rolled back, so that both sides are described by the same server. Order of columns and names of NOT NULL constraints
 * do not count. Must run in a transaction; needs CREATE on the database.
 */
export async function compareSchema(db: Db, script: string): Promise<string[]> {
  const actual = await describeSchema(db)
  await db.script(`savepoint comparison; create schema ${SCRATCH}`)
  await db`select set_config('search_path', ${`${SCRATCH}, `} || current_setting('search_path'), true)`
  await db.script(script)
  const expected = await describeSchema(db)
  await db.script('rollback to savepoint comparison')
  return [
    ...[...expected].filter(([object]) => !actual.has(object)).map(([object]) => `${object} is missing`),
    ...[...actual].filter(([object]) => !expected.has(object)).map(([object]) => `${object} is not expected`),
    ...[...expected]
      .filter(([object, definition]) => (actual.get(object) ?? definition) !== definition)
      .map(([object, definition]) => describeDifference(object, actual.get(object)!, definition)),
  ]
}

/** Bodies of functions and views are too long to be quoted. */
const describeDifference = (object: string, found: string, definition: string) =>
  /^(function|view) /.test(object)
    ? `${object} has another definition`
    : `${object} is "${found}" instead of "${definition}"`

/** The objects of the current schema with their definitions, except those of extensions. */
async function describeSchema(db: Db): Promise<Map<string, string>> {
  const rows = await db<{ object: string; definition: string }[]>`
    with own as (
      select oid, relname, relkind, reloptions from pg_class c
      where relnamespace = current_schema()::regnamespace and relname <> 'schema_migrations' and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')),
    tables as (select * from own where relkind in ('r', 'p'))
    select 'table ' || relname as object, array(select unnest(reloptions) order by 1)::text as definition from tables
    union all
    select 'view ' || relname, pg_get_viewdef(oid, true) from own where relkind in ('v', 'm')
    union all
    select 'column ' || relname || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod),
      'collate ' || (select collname from pg_collation where oid = attcollation), 'storage ' || attstorage::text,
      case when attnotnull then 'not null' end, 'default ' || pg_get_expr(adbin, adrelid),
      'identity ' || nullif(attidentity::text, ''), 'generated ' || nullif(attgenerated::text, ''))
    from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select 'constraint ' || conname || ' on ' || relname, pg_get_constraintdef(pg_constraint.oid, true)
    from tables join pg_constraint on conrelid = tables.oid and contype <> 'n'
    union all
    select 'index ' || indexrelid::regclass || ' on ' || relname, concat_ws(' ', pg_get_indexdef(indexrelid, 0, true),
      case when not indisvalid then 'invalid' end)
    from tables join pg_index on indrelid = tables.oid
    union all
    select 'trigger ' || tgname || ' on ' || relname, pg_get_triggerdef(pg_trigger.oid, true) || ' enabled ' || tgenabled::text
    from tables join pg_trigger on tgrelid = tables.oid and not tgisinternal
    union all
    select 'function ' || proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', concat_ws(' ',
      pg_get_function_result(p.oid), lanname, provolatile, proparallel, proisstrict, prosecdef,
      replace(array(select unnest(proconfig) order by 1)::text, quote_ident(current_schema()) || ', pg_temp', 'own schema'),
      'public ' || has_function_privilege('public', p.oid, 'execute'), coalesce(pg_get_function_sqlbody(p.oid), prosrc))
    from pg_proc p join pg_language l on l.oid = prolang
    where pronamespace = current_schema()::regnamespace and not exists (
      select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
    order by 1`
  return new Map(rows.map(({ object, definition }) => [object, definition]))
}
