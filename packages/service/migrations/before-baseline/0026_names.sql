-- The names of the baseline. Last of the earlier migrations; afterwards the schema is compared with the baseline's.

alter table messages rename to notifications;
alter table message_attempts rename to notification_attempts;
alter table message_counts rename to notification_counts;
alter table result_messages rename to result_reports;
alter table refused_messages rename to refused_reports;

alter table notification_attempts rename column message_id to notification_id;
alter table mailbox rename column message_id to notification_id;
alter table orders rename column match_keys to blocking_keys;
alter table orders rename column awaited_at to awaited_clinic_id;

-- Constraints and indexes that begin with the old name of their table.
do $$
declare
  renamed record;
begin
  for renamed in
    select t.table_name, t.old_name, c.conname as name from (values
      ('notifications', 'messages'), ('notification_attempts', 'message_attempts'), ('notification_counts', 'message_counts'),
      ('result_reports', 'result_messages'), ('refused_reports', 'refused_messages')) as t (table_name, old_name)
    join pg_constraint c on c.conrelid = t.table_name::regclass and starts_with(c.conname, t.old_name || '_')
  loop
    execute format('alter table %I rename constraint %I to %I', renamed.table_name, renamed.name,
      renamed.table_name || substr(renamed.name, length(renamed.old_name) + 1));
  end loop;
  for renamed in
    select t.table_name, t.old_name, i.indexrelid::regclass::text as name from (values
      ('notifications', 'messages'), ('notification_attempts', 'message_attempts'), ('notification_counts', 'message_counts'),
      ('result_reports', 'result_messages'), ('refused_reports', 'refused_messages')) as t (table_name, old_name)
    join pg_index i on i.indrelid = t.table_name::regclass and starts_with(i.indexrelid::regclass::text, t.old_name || '_')
  loop
    execute format('alter index %I rename to %I', renamed.name,
      renamed.table_name || substr(renamed.name, length(renamed.old_name) + 1));
  end loop;
end $$;

drop function orders_overtaken(bigint[], text[], text[], text[], text[], text[], text[], text[], text[]);
drop function orders_alike(text, text[], bigint[], timestamptz, timestamptz, text);
drop function orders_alike(text, text[], bigint[], timestamptz, timestamptz, text, int);

create function find_candidates(tenant text, companies text[], keys bigint[], since timestamptz, at timestamptz, profile text,
  max_orders int)
returns setof orders stable language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select o.*
    from (
      select found.order_id
      from unnest(keys) as searched (key)
      cross join lateral (
        select b.order_id, row_number() over (order by b.order_id desc) as place
        from blocking_keys b
        where b.tenant_id = tenant and b.key = searched.key
        order by b.order_id desc limit max_orders) found
      group by found.order_id
      order by min(found.place), found.order_id desc limit max_orders) picked
    cross join lateral (
      select * from orders where orders.tenant_id = tenant and orders.id = picked.order_id offset 0) o
    where o.company_id = any(companies) and o.created_at >= since
      and case when profile = 'standard'
        then o.status in ('ordered', 'scheduled') and (o.expires_at is null or o.expires_at > at)
        else o.status not in ('cancelled', 'expired', 'noShow', 'testCancelled') end
    order by o.id desc;
end
$$;

create function find_overtaken(locks bigint[], ids text[], founds text[], tenants text[], companies text[], keys text[],
  since text[], at text[], profiles text[])
returns setof text volatile language plpgsql as $$
begin
  perform pg_advisory_xact_lock(key) from unnest(locks) as key;
  return query
    select s.id
    from unnest(ids, founds, tenants, companies, keys, since, at, profiles)
      as s (id, found, tenant, companies, keys, since, at, profile)
    where exists (
      select from find_candidates(s.tenant, s.companies::text[], s.keys::bigint[], s.since::timestamptz, s.at::timestamptz,
        s.profile, 50) o
      where o.id <> s.id and o.id <> all(s.found::text[]));
end
$$;

create or replace function add_blocking_keys() returns trigger language plpgsql as $$
begin
  insert into blocking_keys (tenant_id, key, order_id)
  select tenant_id, key, id from added, unnest(added.blocking_keys) as key
  on conflict do nothing;
  return null;
end
$$;

create or replace function change_blocking_keys() returns trigger language plpgsql
set enable_seqscan = off as $$
begin
  delete from blocking_keys
  where tenant_id = old.tenant_id and key = any(old.blocking_keys) and order_id = old.id
    and (tg_op = 'DELETE' or key <> all(new.blocking_keys));
  -- Most orders lose all their keys, when they are closed.
  if tg_op = 'UPDATE' and cardinality(new.blocking_keys) > 0 then
    insert into blocking_keys (tenant_id, key, order_id)
    select new.tenant_id, key, new.id from unnest(new.blocking_keys) as key
    on conflict do nothing;
  end if;
  return null;
end
$$;

revoke execute on function renew_statistics() from public;
do $$
begin
  execute format('alter function renew_statistics() set search_path = %I, pg_temp', current_schema());
end $$;
