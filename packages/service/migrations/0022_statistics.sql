-- Statistics that keep up with growth. Plans are kept by each session, and one that was made for a table of ten rows stays
-- in use until the table is analyzed. Autovacuum looks once a minute: too late for a system that grows by thousands of
-- orders in that time.
--
-- Runs with the rights of the owner, since only owners may analyze. Tables that have changed by more than half are done;
-- names them.
create function renew_statistics() returns setof text
language plpgsql security definer set search_path from current as $$
declare
  changed text;
begin
  if not pg_try_advisory_xact_lock(hashtext('order-testing-statistics')) then return; end if;
  for changed in
    select relname from pg_stat_user_tables
    where schemaname = current_schema() and n_mod_since_analyze > 100 + 0.5 * n_live_tup
  loop
    execute format('analyze %I', changed);
    return next changed;
  end loop;
end
$$;
