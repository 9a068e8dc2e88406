-- Receivers of webhooks -----------------------------------------------------------------------------------------------------------

-- When the breaker opened; null while it is closed, and for breakers that were open before this column existed.
alter table receivers add column opened_at timestamptz;

-- Every receiver that anything was sent to in the last 30 days. Workers write it every few seconds.
create table receiver_contacts (
  tenant_id text collate "C" not null,
  origin text collate "C" not null,
  attempted_at timestamptz not null,
  -- The last attempt that succeeded, and the last that sent a v1 event.
  delivered_at timestamptz,
  sent_v1_at timestamptz,
  primary key (tenant_id, origin)
);
create index receiver_contacts_by_age on receiver_contacts (attempted_at);

-- Attempts by half hour, kept for two days.
create table receiver_half_hours (
  tenant_id text collate "C" not null,
  origin text collate "C" not null,
  began_at timestamptz not null,
  delivered integer not null,
  failed integer not null,
  primary key (tenant_id, origin, began_at)
);
create index receiver_half_hours_by_age on receiver_half_hours (began_at);


-- Use of tokens (docs/decisions/0042-token-use.md) ----------------------------------------------------------------------------------

-- Requests by the scope that they used, kept for 30 days.
create table token_uses (
  tenant_id text collate "C" not null,
  token_id text collate "C" not null,
  scope text collate "C" not null,
  day date not null,
  requests bigint not null,
  primary key (tenant_id, token_id, scope, day)
);
create index token_uses_by_age on token_uses (day);

-- The last requests of each token, without bodies and addresses.
create table token_requests (
  tenant_id text collate "C" not null,
  token_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz not null,
  -- Refused ones have their own limit, so that many that succeed do not displace them.
  is_refused boolean not null,
  -- Method, route, status, duration, request id and problems, sealed: the text of a problem may quote what was sent.
  content bytea not null,
  primary key (tenant_id, token_id, id)
);
alter table token_requests alter column content set storage external;
create index token_requests_by_kind on token_requests (tenant_id, token_id, is_refused, id);
create index token_requests_by_age on token_requests (at);
