-- Statistics that keep up with growth. Each session keeps its plans, and one that was made for a table of ten rows stays in
-- use until the table is analyzed. Autovacuum looks once a minute: too late for a system that grows by thousands of orders
-- in that time.
--
-- Analyzes the tables that have outgrown what the planner knows of them, and names them. Size is told by the pages of a
-- table, which are known at once; changes within them are counted by the server with some delay. Runs with the rights of
-- the owner, since only owners may analyze.
create function renew_statistics() returns setof text
language plpgsql security definer set search_path from current as $$
declare
  outgrown text;
begin
  if not pg_try_advisory_xact_lock(hashtext('order-testing-statistics')) then return; end if;
  for outgrown in
    select c.relname from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and (pg_relation_size(c.oid) / current_setting('block_size')::int > 16 + 1.5 * greatest(c.relpages, 0)
        or s.n_mod_since_analyze > 1000 + 0.5 * s.n_live_tup)
  loop
    execute format('analyze %I', outgrown);
    return next outgrown;
  end loop;
end
$$;
