-- What moves orders on: results that come in, time that passes, operators who act, and the trail they leave.

-- When time alone changes the order next: it expires, or its booking counts as missed.
alter table orders add column due_at timestamptz;
update orders set due_at = expires_at where expires_at is not null and status in ('ordered', 'scheduled', 'incomplete');
create index orders_due on orders (due_at) where due_at is not null;

-- Every message of a laboratory, reviewer or collection site that was accepted: applied to an order, or waiting for an
-- operator. A repeat gets the first answer, so none is ever removed while its order is there.
create table result_messages (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  sender_kind text collate "C" not null,
  sender_id text collate "C" not null,
  message_id text collate "C" not null,
  token_id text collate "C" not null,
  state text collate "C" not null check (state in ('applied', 'queued', 'dismissed')),
  -- Why it waits, or waited, for an operator.
  why text collate "C",
  event text collate "C" not null,
  order_id text collate "C",
  service_id text collate "C",
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  settled_at timestamptz,
  settled_by text collate "C",
  -- Tells a repeat from another message of the same name.
  content_hash bytea not null,
  -- The message as it came, sealed: it tells of a person's health.
  content bytea not null,
  primary key (tenant_id, id)
);
create unique index result_messages_by_sender on result_messages (tenant_id, sender_kind, sender_id, message_id);
create index result_messages_by_state on result_messages (tenant_id, state, id desc);
create index result_messages_of_sender on result_messages (tenant_id, sender_id, id desc);
create index result_messages_of_order on result_messages (tenant_id, order_id, id) where order_id is not null;

create table documents (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  result_id text collate "C" not null,
  name text not null,
  content_type text not null,
  size integer not null,
  created_at timestamptz not null,
  content bytea not null,
  primary key (tenant_id, id)
);
create index documents_of_result on documents (tenant_id, result_id, id);
-- Sealed bytes do not get any smaller.
alter table documents alter column content set storage external;

create table audit_entries (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz not null,
  token_id text collate "C" not null,
  action text collate "C" not null,
  subject_type text collate "C" not null,
  subject_id text collate "C" not null,
  reason text,
  before jsonb,
  after jsonb,
  primary key (tenant_id, id)
);
create index audit_entries_of_subject on audit_entries (tenant_id, subject_id, id desc);
create index audit_entries_by_action on audit_entries (tenant_id, action, id desc);
create index audit_entries_by_token on audit_entries (tenant_id, token_id, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Entries of % are never changed or removed.', tg_table_name;
end $$;
create trigger audit_entries_stay before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();
