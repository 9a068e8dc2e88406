-- A cell on Citus: a schema with all tables of the service, which Citus keeps together on one node (docs/decisions/0045-cells.md).
--
-- Run as a superuser on the coordinator, once for each cell, after "ots migrate" by the cell's role:
--   psql --variable cell=cell_01 --file deploy/citus.sql
--
-- Before the migration, on every node:
--   create extension citus; create extension cube; create extension pg_trgm; create extension btree_gin; create extension btree_gist;
--   alter database ots set citus.enable_unsafe_triggers = on;
--   alter database ots set citus.allow_nested_distributed_execution = on;
-- and on the coordinator:
--   set citus.enable_schema_based_sharding = off;
--   -- The migration itself runs with ?options=-c%20citus.enable_ddl_propagation%3Doff in its DATABASE_URL.
--   create role cell_01 login; create schema cell_01 authorization cell_01;
--   alter role cell_01 set search_path = cell_01, public;
\set ON_ERROR_STOP on
select set_config('search_path', :'cell' || ', public', false);
begin;
-- Citus cannot run statement triggers that read the changed rows, so these run for each row.
drop trigger add_blocking_keys on orders;
drop trigger add_search_keys on orders;
drop trigger audit_entries_queued on audit_entries;
drop trigger count_added_chunks on order_chunks;
drop trigger count_changed_chunks on order_chunks;

create or replace function add_blocking_keys() returns trigger language plpgsql as $$
begin
  insert into blocking_keys (tenant_id, key, order_id)
  select new.tenant_id, key, new.id from unnest(new.blocking_keys) as key
  on conflict do nothing;
  return null;
end $$;

create or replace function add_search_keys() returns trigger language plpgsql as $$
begin
  insert into search_keys (tenant_id, key, order_id)
  select new.tenant_id, key, new.id from unnest(new.search_keys) as key;
  insert into search_codes (tenant_id, code, order_id)
  select new.tenant_id, coded.code, new.id from unnest(new.search_codes) as coded (code);
  return null;
end $$;

create or replace function queue_audit_entries() returns trigger language plpgsql security definer as $$
begin
  insert into audit_unlinked (tenant_id, entry_id) values (new.tenant_id, new.id) on conflict do nothing;
  return null;
end $$;
-- As the migration does: a function with the rights of its owner looks up names in the schema alone.
do $$ begin
  execute format('alter function queue_audit_entries() set search_path = %I, pg_temp', current_schema());
end $$;

create or replace function change_blocks() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    new.n := new.n - old.n;
  end if;
  perform add_to_blocks(array[new]);
  return null;
end $$;

create trigger add_blocking_keys after insert on orders for each row execute function add_blocking_keys();
create trigger add_search_keys after insert on orders for each row execute function add_search_keys();
create trigger audit_entries_queued after insert on audit_entries for each row execute function queue_audit_entries();
create trigger count_added_chunks after insert on order_chunks for each row execute function change_blocks();
create trigger count_changed_chunks after update on order_chunks for each row execute function change_blocks();
-- Without a primary key, a cell could not be moved to another node while it is used.
alter table order_changes replica identity full;
commit;

select citus_schema_distribute(:'cell');
