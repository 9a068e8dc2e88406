-- For whom each token may speak, and what laboratories call the services of the catalog.

-- The senders a token may speak for: a list of {id, role, labs, timezone}. Null: any sender of its intake scopes.
alter table tokens add column senders jsonb;

-- Message ids are unique per token. They were unique per sender: where two senders of a token used the same id, the later
-- message keeps it with its own id appended.
update result_messages r set message_id = message_id || ' ' || id
where exists (
  select from result_messages earlier
  where earlier.tenant_id = r.tenant_id and earlier.token_id = r.token_id and earlier.message_id = r.message_id
    and earlier.id < r.id);
create unique index result_messages_by_token on result_messages (tenant_id, token_id, message_id);
drop index result_messages_by_sender;

-- A laboratory's own code (OBR-4) for a service of the catalog.
create table laboratory_codes (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  record jsonb not null,
  lab text collate "C" not null,
  code text collate "C" not null,
  service_id text collate "C" not null,
  is_active boolean not null,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index laboratory_codes_by_code on laboratory_codes (tenant_id, code, lab) where is_active;
