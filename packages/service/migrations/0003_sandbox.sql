-- Tools for testing an integration. Only sandboxes write these tables and columns; in production they stay empty.

-- Simulations under way, one per order. A worker makes the next step when it is due.
create table sandbox_simulations (
  tenant_id text collate "C" not null,
  order_id text collate "C" not null,
  -- Tells a simulation from the one that replaced it.
  id text collate "C" not null,
  token_id text collate "C" not null,
  -- What was asked for, sealed.
  content bytea not null,
  due_at timestamptz not null,
  primary key (tenant_id, order_id)
);
create index sandbox_simulations_due on sandbox_simulations (due_at);

-- Trouble that the next event of an order will have on its way.
create table sandbox_troubles (
  tenant_id text collate "C" not null,
  order_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('duplicate', 'reorder', 'delay', 'wrongSignature', 'lateV1')),
  armed_at timestamptz not null,
  -- The event that 'reorder' holds back until the next one; null while the trouble is armed.
  event_id text collate "C",
  primary key (tenant_id, order_id)
);

-- The trouble of this delivery, until its first attempt.
alter table deliveries add column trouble text collate "C";

-- The last requests of each token, with their answers.
create table sandbox_requests (
  tenant_id text collate "C" not null,
  token_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz not null,
  -- The orders that it is about: it is removed with any of them.
  order_ids text[] not null,
  -- The request and the answer without secrets, sealed.
  content bytea not null,
  primary key (tenant_id, token_id, id)
);
alter table sandbox_requests alter column content set storage external;
create index sandbox_requests_of_order on sandbox_requests using gin (tenant_id, order_ids);
create index sandbox_requests_by_age on sandbox_requests (at);
