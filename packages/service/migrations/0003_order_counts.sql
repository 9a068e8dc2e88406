-- How many orders there are, kept by what lists ask for, so that neither totals nor deep pages are counted row by row.
--
-- A list is a set of orders of one company under a key that it is sorted by. Its orders are counted in chunks of about
-- a thousand: `n` orders have keys from `start_key` up to the next chunk's. A create or change appends one row to
-- `order_changes`, which no other writer waits for; folding moves these rows into the chunks, in one transaction.
-- So at any moment chunks and unfolded changes together tell the exact number.
--
-- Lists: `all`, `location <id>` and `status <status>` by order id; `updated` by time of update and order id.

create table order_changes (
  seq bigint generated always as identity,
  tenant_id text collate "C" not null,
  company_id text collate "C" not null,
  location_id text collate "C" not null,
  order_id text collate "C" not null,
  -- Null where the order is new.
  old_status text collate "C",
  new_status text collate "C" not null,
  old_updated_at timestamptz,
  new_updated_at timestamptz not null
);
create index order_changes_of_company on order_changes (tenant_id, company_id);

create table order_chunks (
  tenant_id text collate "C" not null,
  company_id text collate "C" not null,
  list text collate "C" not null,
  start_key text collate "C" not null,
  n bigint not null,
  -- The highest key it has ever counted: a chunk may end only behind it.
  top_key text collate "C" not null,
  primary key (tenant_id, company_id, list, start_key)
);

-- The key of an order in the `updated` list.
create function updated_key(at timestamptz, id text) returns text immutable parallel safe language sql
  return lpad((extract(epoch from at) * 1000)::bigint::text, 15, '0') || ' ' || id;

create index orders_by_update on orders (tenant_id, company_id, updated_key(updated_at, id));

-- What the changes do to each list, one row for each order that enters or leaves one.
create view order_list_changes as
  select c.seq, c.tenant_id, c.company_id, entry.list collate "C" as list, entry.key collate "C" as key, entry.n
  from order_changes c cross join lateral (values
    ('all', c.order_id, case when c.old_status is null then 1 else 0 end),
    ('location ' || c.location_id, c.order_id, case when c.old_status is null then 1 else 0 end),
    ('status ' || c.new_status, c.order_id, case when c.old_status is distinct from c.new_status then 1 else 0 end),
    ('status ' || c.old_status, c.order_id, case when c.old_status <> c.new_status then -1 else 0 end),
    ('updated', updated_key(c.new_updated_at, c.order_id), 1),
    ('updated', updated_key(c.old_updated_at, c.order_id), -1)
  ) as entry(list, key, n)
  where entry.list is not null and entry.key is not null and entry.n <> 0;
