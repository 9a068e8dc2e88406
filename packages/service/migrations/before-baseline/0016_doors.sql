-- Who registered a callback and why it ended; which token a message is counted for, and why it waits.

alter table callbacks
  -- The token that made the registration, and the one that last changed it. Null where it was not recorded, or never changed.
  add column registered_by text collate "C",
  add column changed_by text collate "C",
  add column changed_at timestamptz,
  -- Scheme, host and port, as deliveries have it.
  add column origin text collate "C" not null default '',
  add column end_reason text collate "C" check (end_reason in ('gone', 'operator', 'tokenRevoked'));

update callbacks set
  origin = regexp_replace(regexp_replace(coalesce(lower(substring(url from '^[^/]+//[^/?#]+')), ''),
    '^(https://.*):443$', '\1'), '^(http://.*):80$', '\1'),
  -- Only receivers could end a registration so far.
  end_reason = case when ended_at is not null then 'gone' end;

-- A registration belongs to the token that last set it.
create index callbacks_of_token on callbacks (tenant_id, coalesce(changed_by, registered_by), id);
create index callbacks_by_origin on callbacks (tenant_id, origin, id);

-- Set when a token is revoked together with its callbacks. A create that is under way at that moment may still register
-- one: events are made for none of them.
alter table tokens add column ends_callbacks boolean not null default false;

alter table messages
  -- The token whose create caused it; null for what later changes of the order call for.
  add column token_id text collate "C",
  -- Why it waits, where its time alone does not say.
  add column reason text collate "C" check (reason in ('quota')),
  -- Whether it has been counted, or let through by an operator: a retry is not counted again.
  add column is_released boolean not null default false;
create index messages_over_quota on messages (tenant_id, id desc) where reason = 'quota';

-- Messages sent a token and day (UTC). Counted when they are sent, so that creates do not wait for one row.
create table message_counts (
  tenant_id text collate "C" not null,
  token_id text collate "C" not null,
  day date not null,
  sent integer not null,
  primary key (tenant_id, token_id, day)
);
create index message_counts_by_age on message_counts (day);
