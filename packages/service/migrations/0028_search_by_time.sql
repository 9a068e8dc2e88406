-- online
-- Rows of search keys are found by key and time instead of key and order: their index takes half the space, and is written faster.
--
-- `substr(order_id, 5, 5)` is the time of an order in steps of nine hours: the first half of the time with which its id begins, after
-- `ord_`. Rows of a key with the same time share an entry of the index; which of them is newer, the id itself tells.

create index concurrently if not exists search_keys_by_time on search_keys (tenant_id, key, substr(order_id, 5, 5));
create index concurrently if not exists search_codes_in_order on search_codes (tenant_id, code);

create or replace function change_search_keys() returns trigger language plpgsql
set enable_seqscan = off as $$
begin
  delete from search_keys
  where tenant_id = old.tenant_id and key = any(old.search_keys) and substr(order_id, 5, 5) = substr(old.id, 5, 5)
    and order_id = old.id and (tg_op = 'DELETE' or key <> all(coalesce(new.search_keys, '{}')));
  delete from search_codes
  where tenant_id = old.tenant_id and code = any(old.search_codes) and order_id = old.id
    and (tg_op = 'DELETE' or code <> all(coalesce(new.search_codes, '{}')));
  if tg_op = 'UPDATE' then
    insert into search_keys (tenant_id, key, order_id)
    select new.tenant_id, key, new.id from unnest(new.search_keys) as key
    where key <> all(coalesce(old.search_keys, '{}'));
    insert into search_codes (tenant_id, code, order_id)
    select new.tenant_id, code, new.id from unnest(new.search_codes) as code
    where code <> all(coalesce(old.search_codes, '{}'));
  end if;
  return null;
end
$$;

-- As before, but reads the rows of a key by time, newest first, with all those of the last time it reaches.
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
    ids := array(
      select candidate.id from unnest(ids) as candidate (id)
      where exists (
        select from search_keys s
        where s.tenant_id = tenant and s.key = any(keys) and substr(s.order_id, 5, 5) = substr(candidate.id, 5, 5)
          and s.order_id = candidate.id offset 0));
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

-- An order has no key twice.
alter table search_keys drop constraint if exists search_keys_pkey;
alter table search_codes drop constraint if exists search_codes_pkey;
