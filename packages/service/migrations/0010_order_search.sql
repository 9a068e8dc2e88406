-- Search of orders by operators -------------------------------------------------------------------------------------------------
--
-- Keyed hashes of the words of names, of how they sound, of birth dates and contacts, and keyed codes of specimen and external ids,
-- which begin alike if the ids do: they can be looked up, but not read.

-- Null until they are computed, which a migration cannot do without the keys. Triggers copy them to the tables below.
alter table orders add column search_keys bigint[], add column search_codes bytea[];

-- One row each, so that a search reads the newest orders of a key and stops.
create table search_keys (
  tenant_id text collate "C" not null,
  key bigint not null,
  order_id text collate "C" not null,
  primary key (tenant_id, key, order_id)
);

create table search_codes (
  tenant_id text collate "C" not null,
  code bytea not null,
  order_id text collate "C" not null,
  primary key (tenant_id, code, order_id)
);

create function add_search_keys() returns trigger language plpgsql as $$
begin
  insert into search_keys (tenant_id, key, order_id)
  select tenant_id, key, id from added, unnest(added.search_keys) as key;
  insert into search_codes (tenant_id, code, order_id)
  select tenant_id, coded.code, id from added, unnest(added.search_codes) as coded (code);
  return null;
end
$$;

-- `enable_seqscan = off` keeps the plan independent of statistics: a cached plan stays good while the table grows.
create function change_search_keys() returns trigger language plpgsql
set enable_seqscan = off as $$
begin
  delete from search_keys
  where tenant_id = old.tenant_id and key = any(old.search_keys) and order_id = old.id
    and (tg_op = 'DELETE' or key <> all(coalesce(new.search_keys, '{}')));
  delete from search_codes
  where tenant_id = old.tenant_id and code = any(old.search_codes) and order_id = old.id
    and (tg_op = 'DELETE' or code <> all(coalesce(new.search_codes, '{}')));
  if tg_op = 'UPDATE' then
    insert into search_keys (tenant_id, key, order_id)
    select new.tenant_id, key, new.id from unnest(new.search_keys) as key
    on conflict do nothing;
    insert into search_codes (tenant_id, code, order_id)
    select new.tenant_id, code, new.id from unnest(new.search_codes) as code
    on conflict do nothing;
  end if;
  return null;
end
$$;

create trigger add_search_keys after insert on orders
  referencing new table as added for each statement execute function add_search_keys();
-- Per row with a condition: most updates leave the keys as they are, and then cost nothing here.
create trigger change_search_keys after update on orders
  for each row when (old.search_keys is distinct from new.search_keys or old.search_codes is distinct from new.search_codes)
  execute function change_search_keys();
create trigger remove_search_keys after delete on orders
  for each row when (old.search_keys is not null) execute function change_search_keys();

-- The newest orders that have a key of every term; each element of `terms` is an array of keys. A single term is read newest order
-- first. Of several, the rarest is read whole and the others are looked up; `max_read` bounds both this and the counting that finds
-- the rarest. The settings keep the plan independent of statistics.
create function search_orders(tenant text, companies text[], terms text[], max_orders int, max_read int)
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
          order by s.order_id desc limit max_orders) found
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
      order by s.order_id desc limit max_read) found);
  for i in 1 .. cardinality(terms) loop
    continue when i = rarest;
    keys := terms[i]::bigint[];
    ids := array(
      select candidate.id from unnest(ids) as candidate (id)
      where exists (
        select from search_keys s
        where s.tenant_id = tenant and s.key = any(keys) and s.order_id = candidate.id offset 0));
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
