-- Messages to participants by e-mail and text message, and the addresses of their pages.

create table messages (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  kind text collate "C" not null,
  -- Each has a queue of its own: a mail server that hangs keeps no text message waiting.
  channel text collate "C" not null,
  -- The expiry or appointment it tells of: one that has changed since needs no reminder.
  refers_to timestamptz,
  -- What was handed over when its worker died stays 'uncertain': sent again it might arrive twice.
  state text collate "C" not null default 'waiting'
    check (state in ('waiting', 'sending', 'sent', 'failed', 'dropped', 'uncertain')),
  due_at timestamptz not null,
  -- In all, and since an operator asked for it once more.
  attempts integer not null default 0,
  tries integer not null default 0,
  claim_id uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id)
);
create index messages_due on messages (channel, due_at) where state = 'waiting';
create index messages_claimed on messages (lease_until) where state = 'sending';
create index messages_of_order on messages (tenant_id, order_id, id);
create index messages_ended on messages (ended_at) where ended_at is not null;
create index messages_by_state on messages (tenant_id, state, id desc);

create table message_attempts (
  tenant_id text collate "C" not null,
  message_id text collate "C" not null,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  outcome text collate "C" not null,
  -- What the server said, without addresses.
  detail text,
  primary key (tenant_id, message_id, number)
);

-- The addresses of participants' pages, which only who was sent one knows.
create table order_links (
  secret_hash bytea primary key,
  tenant_id text collate "C" not null,
  order_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index order_links_of_order on order_links (tenant_id, order_id);
create index order_links_by_age on order_links (expires_at);

-- What a sandbox without a mail server would have sent.
create table mailbox (
  id text collate "C" primary key,
  message_id text collate "C" not null,
  at timestamptz not null,
  content bytea not null
);
