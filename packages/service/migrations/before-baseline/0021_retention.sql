-- Records that are deleted after a period the operator has set, legal holds that keep them, and an audit log that can be pruned.

-- A removed order leaves every list: there is no new status, and no new time of update.
alter table order_changes alter column new_status drop not null, alter column new_updated_at drop not null;

create or replace view order_list_changes as
  select c.seq, c.tenant_id, c.company_id, entry.list collate "C" as list, entry.key collate "C" as key, entry.n
  from order_changes c cross join lateral (values
    ('all', c.order_id, (c.new_status is not null)::int - (c.old_status is not null)::int),
    ('location ' || c.location_id, c.order_id, (c.new_status is not null)::int - (c.old_status is not null)::int),
    ('status ' || c.new_status, c.order_id, case when c.old_status is distinct from c.new_status then 1 else 0 end),
    ('status ' || c.old_status, c.order_id, case when c.old_status is distinct from c.new_status then -1 else 0 end),
    ('updated', updated_key(c.new_updated_at, c.order_id), 1),
    ('updated', updated_key(c.old_updated_at, c.order_id), -1)
  ) as entry(list, key, n)
  where entry.list is not null and entry.key is not null and entry.n <> 0;

-- Orders of which nothing is deleted, whatever the periods. Why is in the audit entry that placed the hold.
create table legal_holds (
  tenant_id text collate "C" not null,
  order_id text collate "C" not null,
  placed_at timestamptz not null,
  entry_id text collate "C" not null,
  primary key (tenant_id, order_id)
);

-- Where the audit log of a tenant begins after older entries were pruned: the number and hash of the last pruned link, signed.
-- One row per key: a rotation signs it again.
create table audit_checkpoints (
  tenant_id text collate "C" not null,
  seq bigint not null,
  key_id text collate "C" not null,
  hash bytea not null,
  -- All pruned entries are older than this.
  until timestamptz not null,
  signature bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, seq, key_id)
);

-- Entries whose details were erased on purpose, and the entry that records it.
create table audit_erasures (
  tenant_id text collate "C" not null,
  entry_id text collate "C" not null,
  erased_by text collate "C" not null,
  primary key (tenant_id, entry_id)
);

-- Only pruning removes entries. It says so for its own transaction, and the role of the service may not delete at all.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('ots.pruning', true) = 'on' then
    return null;
  end if;
  raise exception 'Entries of % are never changed or removed.', tg_table_name;
end $$;

create index documents_by_age on documents (tenant_id, created_at);
