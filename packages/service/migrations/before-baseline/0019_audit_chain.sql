-- The audit log as a hash chain per tenant, and roles that run the service without owning the schema.
--
-- An entry is inserted by the transaction of the action it records, and holds ids only. A background task then gives it a
-- link: its number in the tenant's chain, the hash of the link before, and a hash over both and the entry. Links have
-- a table of their own, so that INSERT and SELECT are all that writing the log takes.

-- The reason an operator gave, and what was changed, as it was and as it is: free text and results of tests, so they are sealed.
-- The entry holds a salted hash of them; they can be sealed with another key, or erased, and the chain still holds.
-- One row per key: a rotation adds a copy. The first byte is 0 where the content is not sealed yet.
create table audit_details (
  tenant_id text collate "C" not null,
  entry_id text collate "C" not null,
  key_id text collate "C" not null,
  content bytea not null,
  primary key (tenant_id, entry_id, key_id)
);

alter table audit_entries
  -- Of commands that work on the database directly: who ran them, and where.
  add column os_user text collate "C",
  add column host text collate "C",
  add column details_hash bytea;

alter table audit_entries disable trigger audit_entries_stay;
with salted as (
  select tenant_id, id, uuid_send(gen_random_uuid()) || convert_to(
    jsonb_build_object('reason', reason, 'before', before, 'after', after)::text, 'UTF8') as details
  from audit_entries where reason is not null or before is not null or after is not null),
kept as (
  insert into audit_details (tenant_id, entry_id, key_id, content)
  select tenant_id, id, '', '\x00'::bytea || details from salted)
update audit_entries e set details_hash = sha256(s.details)
from salted s where e.tenant_id = s.tenant_id and e.id = s.id;
alter table audit_entries enable trigger audit_entries_stay;
alter table audit_entries drop column reason, drop column before, drop column after;

create table audit_links (
  tenant_id text collate "C" not null,
  seq bigint not null check (seq > 0),
  entry_id text collate "C" not null,
  entry_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  linked_at timestamptz not null default now(),
  primary key (tenant_id, seq)
);
create unique index audit_links_of_entry on audit_links (tenant_id, entry_id);

create trigger audit_links_stay before update or delete or truncate on audit_links
  for each statement execute function refuse_change();

-- Entries that have no link yet. Filled by a trigger, so that no way of writing an entry can forget it.
create table audit_unlinked (
  tenant_id text collate "C" not null,
  entry_id text collate "C" not null,
  primary key (tenant_id, entry_id)
);
insert into audit_unlinked (tenant_id, entry_id) select tenant_id, id from audit_entries;

create function queue_audit_entries() returns trigger language plpgsql security definer as $$
begin
  insert into audit_unlinked (tenant_id, entry_id) select tenant_id, id from added on conflict do nothing;
  return null;
end $$;
create trigger audit_entries_queued after insert on audit_entries referencing new table as added
  for each statement execute function queue_audit_entries();

-- Roles that the service runs as without owning anything: every migration grants them what they need.
create table runtime_roles (
  name text collate "C" primary key,
  granted_at timestamptz not null default now()
);

-- After large changes: fresh statistics, and pending entries of GIN indexes merged. Only an owner may do either, so the service
-- asks this function to.
create function settle_tables(names text[]) returns void language plpgsql security definer as $$
declare
  settled regclass;
begin
  for settled in
    select oid from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any(names) loop
    execute format('analyze %s', settled);
    perform gin_clean_pending_list(i.indexrelid::regclass)
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = settled and a.amname = 'gin';
  end loop;
end $$;
revoke execute on function settle_tables(text[]) from public;

-- Functions that run with their owner's rights look names up in this schema alone.
do $$
begin
  execute format('alter function queue_audit_entries() set search_path = %I, pg_temp', current_schema());
  execute format('alter function settle_tables(text[]) set search_path = %I, pg_temp', current_schema());
end $$;
