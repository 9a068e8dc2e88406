-- Wrong answers to the question that a new device is asked before it shows a pass.
create table wrong_answers (
  tenant_id text collate "C" not null,
  order_id text collate "C" not null,
  wrong smallint not null,
  -- Answers are not looked at until then.
  locked_until timestamptz,
  primary key (tenant_id, order_id)
);

-- Keyed hash of the requester's e-mail address, while the requester can choose or change the clinic.
alter table orders add column requester_key bigint;
create index orders_of_requester on orders (tenant_id, requester_key, id desc) where requester_key is not null;

-- What a tenant signs wallet passes with, sealed.
create table wallets (
  tenant_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('apple', 'google')),
  content bytea not null,
  set_at timestamptz not null,
  primary key (tenant_id, kind)
);
