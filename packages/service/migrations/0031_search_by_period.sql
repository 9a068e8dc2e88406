-- online
-- Search keys are kept by period first. With the key first, each order added its keys all over an index that grows with the orders on
-- file: once it exceeds memory, each key costs a page to read and to write. Now it adds them where all new orders do.
--
-- A period is about twelve days: `substr(order_id, 5, 4)`, the beginning of the time with which the id of an order begins, after
-- `ord_`. The next digit, `substr(order_id, 9, 1)`, is the time within the period in steps of nine hours. Rows of a key with the same
-- time share an entry of the index; which of them is newer, the id itself tells.

create index concurrently if not exists search_keys_by_period
  on search_keys (tenant_id, substr(order_id, 5, 4), key, substr(order_id, 9, 1));

-- The periods that have orders, newest first, found by one step through the index for each.
create or replace function search_periods(tenant text) returns setof text stable language sql
set enable_seqscan = off as $$
  with recursive found (period) as (
    (select substr(id, 5, 4) from orders where tenant_id = tenant order by id desc limit 1)
    union all
    select earlier.period from found cross join lateral (
      select substr(id, 5, 4) as period from orders where tenant_id = tenant and id < 'ord_' || found.period order by id desc limit 1) earlier)
  select period from found
$$;

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
    where tenant_id = old.tenant_id and substr(order_id, 5, 4) = substr(old.id, 5, 4) and key = any(removed_keys)
      and substr(order_id, 9, 1) = substr(old.id, 9, 1) and order_id = old.id;
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

-- The newest orders that have a key of every term; each element of `terms` is an array of keys. Goes through the periods, newest first. A
-- single term is read newest first. Of several, the rarest is read, and then the rows of the others at the times of its orders.
-- `max_orders` and `max_read` say when to stop. The settings keep the plan independent of statistics.
create or replace function search_orders(tenant text, companies text[], terms text[], max_orders int, max_read int)
returns setof orders stable language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
declare
  searched text;
  keys bigint[] := terms[1]::bigint[];
  rarest int := 1;
  counting int;
  counted int;
  fewest int;
  ids text[];
  times text[];
begin
  for searched in select search_periods(tenant) loop
    if cardinality(terms) = 1 then
      ids := array(
        select distinct found.order_id
        from unnest(keys) as term (key)
        cross join lateral (
          select s.order_id from search_keys s
          where s.tenant_id = tenant and substr(s.order_id, 5, 4) = searched and s.key = term.key
            and exists (
              select from orders v where v.tenant_id = tenant and v.id = s.order_id and v.company_id = any(companies) offset 0)
          order by substr(s.order_id, 9, 1) desc fetch first (max_orders) rows with ties) found);
    else
      -- The rarest of the last period is counted first: probably no other has to be counted further.
      fewest := max_read;
      for i in 0 .. cardinality(terms) loop
        counting := case when i = 0 then rarest else i end;
        keys := terms[counting]::bigint[];
        select count(*) into counted
        from unnest(keys) as term (key)
        cross join lateral (
          select from search_keys s where s.tenant_id = tenant and substr(s.order_id, 5, 4) = searched and s.key = term.key
          limit fewest) c;
        if counted < fewest then
          rarest := counting;
          fewest := counted;
        end if;
      end loop;
      max_read := max_read - fewest;
      keys := terms[rarest]::bigint[];
      ids := array(
        select distinct found.order_id
        from unnest(keys) as term (key)
        cross join lateral (
          select s.order_id from search_keys s where s.tenant_id = tenant and substr(s.order_id, 5, 4) = searched and s.key = term.key
          order by substr(s.order_id, 9, 1) desc fetch first (fewest) rows with ties) found);
      for i in 1 .. cardinality(terms) loop
        continue when i = rarest or cardinality(ids) = 0;
        keys := terms[i]::bigint[];
        times := array(select distinct substr(candidate.id, 9, 1) from unnest(ids) as candidate (id));
        ids := array(
          select unnest(ids)
          intersect
          select s.order_id
          from unnest(keys) as term (key)
          cross join unnest(times) as at (time)
          cross join lateral (
            select order_id from search_keys
            where tenant_id = tenant and substr(order_id, 5, 4) = searched and search_keys.key = term.key
              and substr(order_id, 9, 1) = at.time offset 0) s);
      end loop;
    end if;
    return query
      select o.*
      from (select candidate.id from unnest(ids) as candidate (id) order by candidate.id desc offset 0) picked
      cross join lateral (
        select * from orders where orders.tenant_id = tenant and orders.id = picked.id offset 0) o
      where o.company_id = any(companies)
      limit max_orders;
    get diagnostics counted = row_count;
    max_orders := max_orders - counted;
    exit when max_orders <= 0 or max_read <= 0;
  end loop;
end
$$;

drop index concurrently if exists search_keys_by_time;
