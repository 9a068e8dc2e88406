-- Why a create was answered with an order on file: the parts of the score, for the operator who is asked about it.
create table order_matches (
  seq bigint generated always as identity,
  tenant_id text collate "C" not null,
  order_id text collate "C" not null,
  token_id text collate "C" not null,
  at timestamptz not null,
  score numeric not null,
  -- Fields, weights and similarities in words; nothing of the people themselves.
  explanation jsonb not null,
  primary key (tenant_id, order_id, seq)
);

-- A value sealed with each key in use, so that a start with wrong keys is noticed at once and not at the first order.
create table key_checks (
  key_id text collate "C" primary key,
  sealed bytea not null
);
