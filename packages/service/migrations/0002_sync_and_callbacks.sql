-- The integrator's own identifier of an order, as a keyed hash: it can be looked up, but not read.
alter table orders add column external_key bigint;
create index orders_by_external_key on orders (tenant_id, external_key) where external_key is not null;


-- Changes in the order of their commits -----------------------------------------------------------------------------------------
--
-- Clients read changes and events on from a cursor, and must not miss a change that commits late. Time stamps and sequences are
-- taken before the commit, so they cannot be cursors. Positions are given to changes that have committed, by the transaction that
-- folds `order_changes` into the counts, one at a time: positions become visible in ascending order.

create sequence change_positions;

-- The event of the change, if there is one.
alter table order_changes add column event_id text collate "C";

-- The last change of each order.
create table order_positions (
  tenant_id text collate "C" not null,
  order_id text collate "C" not null,
  company_id text collate "C" not null,
  position bigint not null,
  primary key (tenant_id, order_id)
);
create index order_positions_in_order on order_positions (tenant_id, company_id, position);

create table event_positions (
  tenant_id text collate "C" not null,
  company_id text collate "C" not null,
  position bigint not null,
  event_id text collate "C" not null,
  order_id text collate "C" not null,
  -- The event was there before, and was sent again.
  is_resend boolean not null default false,
  primary key (tenant_id, company_id, position)
);
create index event_positions_of_order on event_positions (tenant_id, order_id);

-- The number of events of each company that have a position, each counted once.
create table event_counts (
  tenant_id text collate "C" not null,
  company_id text collate "C" not null,
  n bigint not null,
  primary key (tenant_id, company_id)
);

insert into order_positions (tenant_id, order_id, company_id, position)
select tenant_id, id, company_id, nextval('change_positions')
from (select tenant_id, id, company_id from orders order by updated_at, id) o;

insert into event_positions (tenant_id, company_id, position, event_id, order_id)
select tenant_id, company_id, nextval('change_positions'), id, order_id
from (
  select e.tenant_id, o.company_id, e.id, e.order_id
  from events e join orders o on o.tenant_id = e.tenant_id and o.id = e.order_id
  order by e.created_at, e.id) e;

insert into event_counts (tenant_id, company_id, n)
select tenant_id, company_id, count(*) from event_positions group by 1, 2;


-- Callbacks ---------------------------------------------------------------------------------------------------------------------

alter table callbacks drop constraint callbacks_end_reason_check;
alter table callbacks add constraint callbacks_end_reason_check
  check (end_reason in ('gone', 'integrator', 'operator', 'tokenRevoked'));

-- When an integrator last asked to send it again.
alter table events add column resent_at timestamptz;
