-- online
-- Search keys and codes are found by time instead of by order: their indexes take half the space.
--
-- `substr(order_id, 5, 5)` is the time of an order in steps of nine hours: the first half of the time with which its id begins, after
-- `ord_`. Rows of a key with the same time share an entry of the index; which of them is newer, the id itself tells.

create index concurrently if not exists search_keys_by_time on search_keys (tenant_id, key, substr(order_id, 5, 5));
create index concurrently if not exists search_codes_by_time on search_codes (tenant_id, code, substr(order_id, 5, 5));

-- Looks only for rows that have to go: most changes remove none, and others may share a key and a time.
create or replace function change_search_keys() returns trigger language plpgsql
set enable_seqscan = off as $$
declare
  kept_keys bigint[] := case when tg_op = 'UPDATE' then new.search_keys end;
  kept_codes bytea[] := case when tg_op = 'UPDATE' then new.search_codes end;
  removed_keys bigint[] := array(select unnest(old.search_keys) except select unnest(kept_keys));
  removed_codes bytea[] := array(select unnest(old.search_codes) except select unnest(kept_codes));
begin
  if cardinality(removed_keys) > 0 then
    delete from search_keys
    where tenant_id = old.tenant_id and key = any(removed_keys) and substr(order_id, 5, 5) = substr(old.id, 5, 5) and order_id = old.id;
  end if;
  if cardinality(removed_codes) > 0 then
    delete from search_codes
    where tenant_id = old.tenant_id and code = any(removed_codes) and substr(order_id, 5, 5) = substr(old.id, 5, 5) and order_id = old.id;
  end if;
  if tg_op = 'UPDATE' then
    insert into search_keys (tenant_id, key, order_id)
    select new.tenant_id, added.key, new.id
    from (select unnest(new.search_keys) except select unnest(old.search_keys)) as added (key);
    insert into search_codes (tenant_id, code, order_id)
    select new.tenant_id, added.code, new.id
    from (select unnest(new.search_codes) except select unnest(old.search_codes)) as added (code);
  end if;
  return null;
end
$$;

-- The newest orders that have a key of every term; each element of `terms` is an array of keys. A single term is read newest first. Of
-- several, the rarest is read, and then the rows of the others at the times of its orders. `max_orders` and `max_read` say when to stop
-- at the end of a time. The settings keep the plan independent of statistics.
create or replace function search_orders(tenant text, companies text[], terms text[], max_orders int, max_read int)
returns setof orders stable language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
declare
  keys bigint[] := terms[1]::bigint[];
  rarest int := 1;
  found_in int;
  fewest int;
  ids text[];
  times text[];
begin
  if cardinality(terms) = 1 then
    return query
      select o.*
      from (
        select distinct found.order_id
        from unnest(keys) as term (key)
        cross join lateral (
          select s.order_id from search_keys s
          where s.tenant_id = tenant and s.key = term.key
            and exists (
              select from orders v where v.tenant_id = tenant and v.id = s.order_id and v.company_id = any(companies) offset 0)
          order by substr(s.order_id, 5, 5) desc fetch first (max_orders) rows with ties) found
        order by found.order_id desc limit max_orders) picked
      cross join lateral (
        select * from orders where orders.tenant_id = tenant and orders.id = picked.order_id offset 0) o
      order by o.id desc;
    return;
  end if;
  for i in 1 .. cardinality(terms) loop
    keys := terms[i]::bigint[];
    select count(*) into found_in
    from unnest(keys) as term (key)
    cross join lateral (
      select from search_keys s where s.tenant_id = tenant and s.key = term.key
      limit coalesce(fewest, max_read)) counted;
    if fewest is null or found_in < fewest then
      rarest := i;
      fewest := found_in;
    end if;
  end loop;
  keys := terms[rarest]::bigint[];
  ids := array(
    select distinct found.order_id
    from unnest(keys) as term (key)
    cross join lateral (
      select s.order_id from search_keys s where s.tenant_id = tenant and s.key = term.key
      order by substr(s.order_id, 5, 5) desc fetch first (max_read) rows with ties) found);
  for i in 1 .. cardinality(terms) loop
    continue when i = rarest;
    keys := terms[i]::bigint[];
    times := array(select distinct substr(candidate.id, 5, 5) from unnest(ids) as candidate (id));
    ids := array(
      select unnest(ids)
      intersect
      select s.order_id
      from unnest(keys) as term (key)
      cross join unnest(times) as at (time)
      cross join lateral (
        select order_id from search_keys
        where tenant_id = tenant and search_keys.key = term.key and substr(order_id, 5, 5) = at.time offset 0) s);
  end loop;
  return query
    select o.*
    from (select candidate.id from unnest(ids) as candidate (id) order by candidate.id desc offset 0) picked
    cross join lateral (
      select * from orders where orders.tenant_id = tenant and orders.id = picked.id offset 0) o
    where o.company_id = any(companies)
    limit max_orders;
end
$$;

-- Without primary keys: `searchKeysOf` and `prefixedIdsOf` give each key and code of an order once. Waits for short locks again and
-- again, since others would wait behind a long one.
do $$
begin
  for attempt in 1 .. 600 loop
    begin
      set local lock_timeout = '500ms';
      alter table search_keys drop constraint if exists search_keys_pkey;
      alter table search_codes drop constraint if exists search_codes_pkey;
      -- Rows are deleted, which logical replication refuses without an identity.
      alter table search_keys replica identity full;
      alter table search_codes replica identity full;
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise exception 'The search keys are in use, perhaps by a backup. Try again later.';
end $$;
