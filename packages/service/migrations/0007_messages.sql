-- What happens to messages after they were sent, and links that were taken back.

-- Set when an operator revokes the link: it shows the same notice as an expired one.
alter table order_links add column revoked_at timestamptz;

-- 'suppressed': the address must not be written to. 'bounced': it was sent, and came back or was complained about.
alter table notifications drop constraint notifications_state_check;
alter table notifications add constraint notifications_state_check
  check (state in ('waiting', 'sending', 'sent', 'failed', 'dropped', 'uncertain', 'suppressed', 'bounced'));

-- The address that it was last sent to, as a keyed hash: a reply or a bounce finds it, but nobody can read it.
alter table notifications add column address_key bigint;
create index notifications_by_address on notifications (tenant_id, address_key, id desc) where address_key is not null;

-- How many addresses got a copy of it.
alter table notifications add column copies integer not null default 0;

-- What came back after a notification was sent is the attempt with the number 0; its outcome is the kind of bounce.

-- Addresses that must not be written to: their owner has opted out or complained, or they do not exist.
create table suppressions (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  channel text collate "C" not null check (channel in ('email', 'mobile')),
  -- A keyed hash of the address.
  address_key bigint not null,
  reason text collate "C" not null check (reason in ('optOut', 'hardBounce', 'complaint')),
  -- The notification that led to it, if known.
  notification_id text collate "C",
  -- The address, sealed.
  content bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index suppressions_of_address on suppressions (tenant_id, channel, address_key);
