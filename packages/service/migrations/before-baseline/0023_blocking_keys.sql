-- The keys by which possible matches are found, newest order first: a search reads a bounded number of orders, however
-- many share a key. The index on the array could only read all of them. Orders keep their keys as `match_keys`; the
-- triggers below copy them here.
create table blocking_keys (
  tenant_id text collate "C" not null,
  key bigint not null,
  order_id text collate "C" not null,
  primary key (tenant_id, key, order_id)
);

insert into blocking_keys (tenant_id, key, order_id)
select distinct tenant_id, key, id from orders, unnest(match_keys) as key;
analyze blocking_keys;

create function add_blocking_keys() returns trigger language plpgsql as $$
begin
  insert into blocking_keys (tenant_id, key, order_id)
  select tenant_id, key, id from added, unnest(match_keys) as key
  on conflict do nothing;
  return null;
end
$$;

-- The setting keeps the plan independent of statistics: a cached plan stays good while the table grows.
create function change_blocking_keys() returns trigger language plpgsql
set enable_seqscan = off as $$
begin
  delete from blocking_keys
  where tenant_id = old.tenant_id and key = any(old.match_keys) and order_id = old.id
    and (tg_op = 'DELETE' or key <> all(new.match_keys));
  -- Most orders lose all their keys, when they are closed.
  if tg_op = 'UPDATE' and cardinality(new.match_keys) > 0 then
    insert into blocking_keys (tenant_id, key, order_id)
    select new.tenant_id, key, new.id from unnest(new.match_keys) as key
    on conflict do nothing;
  end if;
  return null;
end
$$;

create trigger add_blocking_keys after insert on orders
  referencing new table as added for each statement execute function add_blocking_keys();
-- By row, since most changes leave the keys as they are and then cost nothing here.
create trigger change_blocking_keys after update on orders
  for each row when (old.match_keys <> new.match_keys) execute function change_blocking_keys();
create trigger remove_blocking_keys after delete on orders
  for each row execute function change_blocking_keys();

drop index orders_alike;

-- At most `most` orders on file that a new one is compared with, newest first. Of each key the newest are taken in turn,
-- so that a key which many orders share does not displace one that few do.
create function orders_alike(tenant text, companies text[], keys bigint[], since timestamptz, at timestamptz, profile text, most int)
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
        order by b.order_id desc limit most) found
      group by found.order_id
      order by min(found.place), found.order_id desc limit most) picked
    cross join lateral (
      select * from orders where orders.tenant_id = tenant and orders.id = picked.order_id offset 0) o
    where o.company_id = any(companies) and o.created_at >= since
      and case when profile = 'standard'
        then o.status in ('ordered', 'scheduled') and (o.expires_at is null or o.expires_at > at)
        else o.status not in ('cancelled', 'expired', 'noShow', 'testCancelled') end
    order by o.id desc;
end
$$;

-- The search of `orders_overtaken`.
create or replace function orders_alike(tenant text, companies text[], keys bigint[], since timestamptz, at timestamptz, profile text)
returns setof orders stable language sql as $$
  select * from orders_alike(tenant, companies, keys, since, at, profile, 50)
$$;
