-- Claims of a killed worker come back sooner, receivers show that they are being probed, and lists of deliveries read
-- no more than they show.

-- One row per running worker, renewed every few seconds. A claim holds while its worker's lease does, so that keeping
-- thousands of claims alive costs one small update.
create table delivery_workers (
  id uuid primary key,
  alive_until timestamptz not null
);

alter table deliveries
  -- The worker that has claimed it. In no index, like everything that a claim changes.
  add column claimed_by uuid;

alter table receivers
  -- When the probe that is under way was sent; null while none is.
  add column probed_at timestamptz;

-- Lists of deliveries, newest first, by state. `deliveries_failed` is there already; each delivery is in one of them.
create index deliveries_open on deliveries (tenant_id, state, id) where state in ('waiting', 'held');
create index deliveries_delivered on deliveries (tenant_id, id) where state = 'delivered';
-- The same by origin.
drop index deliveries_by_origin;
create index deliveries_by_origin on deliveries (tenant_id, origin, state, id);
