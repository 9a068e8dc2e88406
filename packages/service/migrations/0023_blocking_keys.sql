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

-- The settings keep plans independent of statistics: a cached plan stays good while the table grows.
create function change_blocking_keys() returns trigger language plpgsql
set enable_seqscan = off as $$
declare
  changed record;
begin
  for changed in
    select o.tenant_id, o.id, o.match_keys as old_keys, n.match_keys as new_keys
    from before o join after n on n.tenant_id = o.tenant_id and n.id = o.id
    where n.match_keys <> o.match_keys
  loop
    delete from blocking_keys
    where tenant_id = changed.tenant_id and key = any(changed.old_keys) and order_id = changed.id
      and key <> all(changed.new_keys);
    insert into blocking_keys (tenant_id, key, order_id)
    select changed.tenant_id, key, changed.id from unnest(changed.new_keys) as key
    on conflict do nothing;
  end loop;
  return null;
end
$$;

create function remove_blocking_keys() returns trigger language plpgsql
set enable_seqscan = off as $$
declare
  gone record;
begin
  for gone in select tenant_id, id, match_keys from removed loop
    delete from blocking_keys
    where tenant_id = gone.tenant_id and key = any(gone.match_keys) and order_id = gone.id;
  end loop;
  return null;
end
$$;

create trigger add_blocking_keys after insert on orders
  referencing new table as added for each statement execute function add_blocking_keys();
create trigger change_blocking_keys after update on orders
  referencing old table as before new table as after for each statement execute function change_blocking_keys();
create trigger remove_blocking_keys after delete on orders
  referencing old table as removed for each statement execute function remove_blocking_keys();

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
