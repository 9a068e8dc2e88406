-- online
-- The audit log by month: vacuum and indexes work on the months that change, and a month whose entries were all pruned is dropped.
-- Ids begin with their time, so they are the bounds. What was written before is the first part; it ends after the next
-- month. Each statement may run again after an interruption.

-- The lowest id of a month, as `idFloor` in `domain/ids.ts` makes it.
create or replace function audit_floor(month timestamp) returns text immutable language sql as $$
  select 'aud_'
    || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * place)) & 31)::int + 1, 1), '' order by place desc)
    || repeat('0', 16)
  from (select (extract(epoch from month) * 1000)::bigint) as at (ms), generate_series(0, 9) as place
$$;

-- Takes a lock that everybody waits for, or gives way to a long reader such as a backup and tries again.
create or replace function lock_audit_log() returns void language plpgsql as $$
declare
  timeout text := current_setting('lock_timeout');
begin
  for attempt in 1 .. 600 loop
    begin
      set local lock_timeout = '500ms';
      lock table audit_entries, audit_details in access exclusive mode;
      perform set_config('lock_timeout', timeout, true);
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise exception 'The audit log is in use, perhaps by a backup. Try again later.';
end $$;

-- Promises that nothing written until the swap belongs to a later month than the next: a month to spare, should it be interrupted.
do $$
declare
  bound text;
begin
  if (select relkind from pg_class where oid = 'audit_entries'::regclass) = 'p' then return; end if;
  perform lock_audit_log();
  select greatest(audit_floor(date_trunc('month', clock_timestamp() at time zone 'UTC') + interval '2 months'), max(id) || '0')
  into bound from audit_entries;
  alter table audit_entries drop constraint if exists audit_entries_before;
  alter table audit_details drop constraint if exists audit_details_before;
  execute format('alter table audit_entries add constraint audit_entries_before check (id < %L) not valid', bound);
  execute format('alter table audit_details add constraint audit_details_before check (entry_id < %L) not valid', bound);
end $$;

-- Reads the tables while they are used, so that attaching them need not.
do $$
begin
  if (select relkind from pg_class where oid = 'audit_entries'::regclass) = 'p' then return; end if;
  alter table audit_entries validate constraint audit_entries_before;
  alter table audit_details validate constraint audit_details_before;
end $$;

do $$
declare
  bound text;
  granted record;
  owner text;
  made text;
begin
  if (select relkind from pg_class where oid = 'audit_entries'::regclass) = 'p' then return; end if;
  select substring(pg_get_constraintdef(oid) from 'aud_[0-9a-z]+') into bound from pg_constraint
  where conrelid = 'audit_entries'::regclass and conname = 'audit_entries_before';
  perform lock_audit_log();

  alter table audit_entries rename to audit_entries_before;
  alter index audit_entries_pkey rename to audit_entries_before_pkey;
  alter index audit_entries_of_subject rename to audit_entries_before_of_subject;
  alter index audit_entries_by_action rename to audit_entries_before_by_action;
  alter index audit_entries_by_token rename to audit_entries_before_by_token;
  alter index audit_entries_by_user rename to audit_entries_before_by_user;
  create table audit_entries (like audit_entries_before including defaults, primary key (tenant_id, id)) partition by range (id);
  create index audit_entries_of_subject on audit_entries (tenant_id, subject_id, id desc);
  create index audit_entries_by_action on audit_entries (tenant_id, action, id desc);
  create index audit_entries_by_token on audit_entries (tenant_id, token_id, id desc);
  create index audit_entries_by_user on audit_entries (tenant_id, user_id, id desc) where user_id is not null;
  execute format('alter table audit_entries attach partition audit_entries_before for values from (minvalue) to (%L)', bound);
  alter table audit_entries_before drop constraint audit_entries_before;
  -- For what no month takes, such as an entry of a node whose clock is wrong.
  create table audit_entries_of_no_month partition of audit_entries default;

  alter table audit_details rename to audit_details_before;
  alter index audit_details_pkey rename to audit_details_before_pkey;
  alter index audit_details_in_plain_text rename to audit_details_before_in_plain_text;
  create table audit_details (like audit_details_before including defaults, primary key (tenant_id, entry_id, key_id))
    partition by range (entry_id);
  create index audit_details_in_plain_text on audit_details (tenant_id, entry_id) where key_id = '';
  execute format('alter table audit_details attach partition audit_details_before for values from (minvalue) to (%L)', bound);
  alter table audit_details_before drop constraint audit_details_before;
  create table audit_details_of_no_month partition of audit_details default;

  -- Rights are those of the table that statements name; its parts are used only through it.
  for granted in
    select relname, case grantee when 0 then 'public' else grantee::regrole::text end as role, privilege_type as what,
      is_grantable
    from pg_class, aclexplode(relacl)
    where oid in ('audit_entries_before'::regclass, 'audit_details_before'::regclass) and grantee <> relowner
  loop
    execute format('grant %s on %I to %s %s', granted.what, replace(granted.relname, '_before', ''), granted.role,
      case when granted.is_grantable then 'with grant option' end);
    execute format('revoke %s on %I from %s', granted.what, granted.relname, granted.role);
  end loop;

  select relowner::regrole::text into owner from pg_class where oid = 'audit_entries_before'::regclass;
  foreach made in array array['audit_entries', 'audit_entries_of_no_month', 'audit_details', 'audit_details_of_no_month'] loop
    execute format('alter table %I owner to %s', made, owner);
  end loop;

  drop trigger audit_entries_queued on audit_entries_before;
  create trigger audit_entries_queued after insert on audit_entries referencing new table as added
    for each statement execute function queue_audit_entries();
  create trigger audit_entries_stay before update or delete or truncate on audit_entries
    for each statement execute function refuse_change();
  create trigger audit_entries_stay before update or delete or truncate on audit_entries_of_no_month
    for each statement execute function refuse_change();
end $$;
drop function if exists lock_audit_log();

-- Adds the parts of the month of `at` and of the two months after it, unless they exist, and drops the part of an earlier month that
-- has no pages any more. One process at a time. What cannot be done now, because of a long reader, is done an hour later. Made with
-- its rights and its path in one step, since it runs with the rights of its owner.
do $$
begin
  create or replace function keep_audit_months(at timestamptz) returns void language plpgsql security definer as $f$
  declare
    log text;
    part text;
    granted record;
    this_month timestamp := date_trunc('month', at at time zone 'UTC');
    month timestamp;
    is_empty boolean;
  begin
    if not pg_try_advisory_xact_lock(hashtext('order-testing-audit-months')) then return; end if;
    set local lock_timeout = '200ms';
    foreach log in array array['audit_entries', 'audit_details'] loop
      for ahead in 0 .. 2 loop
        month := this_month + make_interval(months => ahead);
        part := log || to_char(month, '_YYYY_MM');
        continue when to_regclass(part) is not null;
        begin
          execute format('create table %I (like %I including defaults)', part, log);
          -- Rights that new tables get by default would be rights to rewrite the log.
          for granted in
            select case grantee when 0 then 'public' else grantee::regrole::text end as role
            from pg_class, aclexplode(relacl) where oid = part::regclass and grantee <> relowner
          loop
            execute format('revoke all on %I from %s', part, granted.role);
          end loop;
          if log = 'audit_entries' then
            execute format('create trigger audit_entries_stay before update or delete or truncate on %I
              for each statement execute function refuse_change()', part);
          end if;
          execute format('alter table %I attach partition %I for values from (%L) to (%L)', log, part,
            audit_floor(month), audit_floor(month + interval '1 month'));
        exception
          -- The month is in the first part, or some of it was written already to the part of no month: it stays there.
          when invalid_object_definition or check_violation or lock_not_available then null;
        end;
      end loop;
    end loop;
    foreach log in array array['audit_entries', 'audit_details'] loop
      -- Pruned, and then vacuumed: looking for a row in it takes no time.
      select min(c.relname) into part from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = log::regclass and c.relname similar to log || '_[0-9]{4}_[0-9]{2}'
        and c.relname < log || to_char(this_month, '_YYYY_MM') and pg_relation_size(c.oid) = 0;
      continue when part is null;
      begin
        execute format('lock table only %I, %I in access exclusive mode', log, part);
        execute format('select not exists (select from %I)', part) into is_empty;
        if is_empty then execute format('drop table %I', part); end if;
        return;
      exception when lock_not_available then null;
      end;
    end loop;
  end $f$;
  revoke execute on function keep_audit_months(timestamptz) from public;
  execute format('alter function keep_audit_months(timestamptz) set search_path = %I, pg_temp', current_schema());
  execute format('alter function keep_audit_months(timestamptz) owner to %s',
    (select relowner::regrole from pg_class where oid = 'audit_entries'::regclass));
end $$;
select keep_audit_months(now());
