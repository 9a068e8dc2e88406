-- Messages in HL7 that were not taken: no messages for us, or from senders that the token may not speak for.
create table refused_messages (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  token_id text collate "C" not null,
  -- How it came: 'http' or 'mllp'.
  door text collate "C" not null,
  -- How it was acknowledged: 'AE' or 'AR'.
  code text collate "C" not null,
  reason text not null,
  -- As the header has them; empty where it could not be read.
  sender text not null,
  control_id text not null,
  address text,
  -- Bytes of the whole message; its content may be kept in part.
  size integer not null,
  -- Keyed: the same bytes sent again are counted, not kept again.
  content_hash bigint not null,
  content bytea not null,
  count integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index refused_messages_by_content on refused_messages (tenant_id, token_id, content_hash);
create index refused_messages_in_order on refused_messages (tenant_id, last_at desc, id desc);
create index refused_messages_by_age on refused_messages (last_at);
-- Sealed bytes do not get any smaller.
alter table refused_messages alter column content set storage external;
