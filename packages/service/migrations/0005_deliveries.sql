-- Deliveries on their way: who has taken which, what came of every attempt, and which receivers are in trouble.
--
-- A delivery is due, is claimed by a worker for the length of a lease, is sent, and its outcome is recorded. A claim
-- moves `due_at` to the end of the lease: what a worker that died had taken comes due again by itself. `claim_id`
-- fences: a worker that wakes after its lease finds another claim there, and records nothing.
--
-- `held` deliveries wait for their receiver and not for a time: its lane is full, its breaker open, or it is paused.
-- They are out of the way of all others, and are taken up by receiver.

alter table deliveries
  -- Scheme, host and port: receivers are kept apart by these.
  add column origin text collate "C" not null default '',
  add column claim_id uuid,
  -- Since when it is to be delivered: from its creation, or from its replay.
  add column queued_at timestamptz,
  add column ended_at timestamptz,
  drop constraint deliveries_state_check,
  add constraint deliveries_state_check check (state in ('waiting', 'held', 'delivered', 'failed')),
  -- Forgotten some time after the end: v1 deliveries are copies of orders.
  alter column body drop not null;

update deliveries d set queued_at = d.created_at, origin = coalesce(lower(substring(c.url from '^[^/]+//[^/?#]+')), '')
from callbacks c where c.tenant_id = d.tenant_id and c.id = d.callback_id;

alter table deliveries
  alter column queued_at set not null, alter column queued_at set default now(),
  alter column due_at set default now(), alter column origin drop default;

create index deliveries_held on deliveries (tenant_id, origin, due_at) where state = 'held';
create index deliveries_by_origin on deliveries (tenant_id, origin, id);
-- Of few among many, so that they are found without reading all.
create index deliveries_failed on deliveries (tenant_id, id) where state = 'failed';
create index deliveries_to_forget on deliveries (ended_at) where body is not null and ended_at is not null;

-- Every attempt, for operators: what was answered, without anything that was sent.
create table delivery_attempts (
  seq bigint generated always as identity,
  tenant_id text collate "C" not null,
  delivery_id text collate "C" not null,
  at timestamptz not null,
  ms integer not null,
  -- Of the answer; null where there was none.
  status integer,
  -- The class of failure where there was no answer.
  error text,
  detail text,
  -- The first bytes of the answer.
  excerpt text not null,
  primary key (tenant_id, delivery_id, seq)
);
create index delivery_attempts_by_age on delivery_attempts (at);

-- Receivers in trouble, or paused by the operator. One that is well has no row.
create table receivers (
  tenant_id text collate "C" not null,
  origin text collate "C" not null,
  -- In a row.
  failures integer not null default 0,
  -- While this lies ahead, nothing is sent; then one attempt shows whether the rest may follow.
  open_until timestamptz,
  -- How long it was last closed to deliveries, in seconds.
  closed_for integer not null default 0,
  paused_at timestamptz,
  primary key (tenant_id, origin)
);

-- When it was last registered: an answer to a request of before says nothing of it.
alter table callbacks add column registered_at timestamptz not null default now();
