-- Orders, who hears of their changes, and what they are told.
--
-- An order is one row: its services and their histories are part of it, read and written with it.
-- Ids sort by time of creation, so "newest first" is the order of ids, downwards.
-- No foreign keys lead to the catalog: what an order names was read there just before it is written, and rows stay.

create table orders (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  code text collate "C" not null,
  company_id text collate "C" not null,
  location_id text collate "C" not null,
  status text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  specimen_ids text[] not null,
  -- The order as answers show it, but for the participant: kept ready, so that reading is sending.
  head text not null,
  -- The participant as answers show it, but for the identifiers.
  participant text not null,
  -- The identifiers, sealed; null where there are none.
  identifiers bytea,
  -- The order as the rules see it.
  content jsonb not null,
  -- Keyed hashes of gate and person: orders that could be for the same person and purpose share one.
  match_keys bigint[] not null,
  primary key (tenant_id, id)
);
create unique index orders_by_code on orders (tenant_id, code);
create index orders_of_company on orders (tenant_id, company_id, id desc);
create index orders_at_location on orders (tenant_id, location_id, id desc);
create index orders_by_status on orders (tenant_id, company_id, status, id desc);
create index orders_by_specimen on orders using gin (tenant_id, specimen_ids) where specimen_ids <> '{}';
create index orders_alike on orders using gin (match_keys);

-- Where changes of an order are reported, and in which version.
create table callbacks (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  version text not null check (version in ('v1', 'v2')),
  url text not null,
  -- Headers and credentials, sealed.
  secrets bytea not null,
  -- Whether the token that registered it may read the participant: v1 deliveries carry the order itself.
  shows_participant boolean not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id)
);
-- By hash: an address may be longer than an index entry.
create unique index callbacks_by_url on callbacks (tenant_id, order_id, md5(url));

create table events (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index events_of_order on events (tenant_id, order_id, id);

-- One event to one callback: what is sent stays the same bytes on every attempt.
create table deliveries (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  callback_id text collate "C" not null,
  order_id text collate "C" not null,
  version text not null,
  body bytea not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index deliveries_due on deliveries (due_at) where state = 'waiting';
create index deliveries_of_order on deliveries (tenant_id, order_id, id);

-- Answers to creates that carried a key, kept for a day so that a repeat gets the first answer.
create table idempotency_keys (
  tenant_id text collate "C" not null,
  token_id text collate "C" not null,
  key text collate "C" not null,
  status integer not null,
  -- The hash of the request and the answer, sealed: they hold what orders hold.
  answer bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, token_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
