-- Counts of many chunks together, so that the total of millions of orders is the sum of few rows. Only lists of many chunks have
-- blocks. A block has the chunks from its `start_key` on up to the next block's; it begins where a chunk begins.

-- Nothing may be folded meanwhile.
select pg_advisory_xact_lock(hashtext('order-testing-counts'));

create table order_blocks (
  tenant_id text collate "C" not null,
  company_id text collate "C" not null,
  list text collate "C" not null,
  start_key text collate "C" not null,
  n bigint not null,
  primary key (tenant_id, company_id, list, start_key)
) with (fillfactor = 50);

insert into order_blocks (tenant_id, company_id, list, start_key, n)
select tenant_id, company_id, list, min(start_key), sum(n)
from (
  select *, (row_number() over (partition by tenant_id, company_id, list order by start_key) - 1) / 64 as part,
    count(*) over (partition by tenant_id, company_id, list) as chunks
  from order_chunks) numbered
where chunks >= 128
group by tenant_id, company_id, list, part;

-- Adds `n` of each change to the block of its chunk. The settings keep the plan independent of statistics.
create function add_to_blocks(changes order_chunks[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update order_blocks b set n = b.n + added.n
  from (
    select block.tenant_id, block.company_id, block.list, block.start_key, sum(c.n) as n
    from unnest(changes) c cross join lateral (
      select * from order_blocks
      where tenant_id = c.tenant_id and company_id = c.company_id and list = c.list and start_key <= c.start_key
      order by start_key desc limit 1) block
    group by 1, 2, 3, 4) added
  where b.tenant_id = added.tenant_id and b.company_id = added.company_id and b.list = added.list and b.start_key = added.start_key;
end
$$;

-- Triggers, because nodes of the previous build change chunks, too.
create function change_blocks() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_blocks(array(select row(tenant_id, company_id, list, start_key, n)::order_chunks from after));
  else
    perform add_to_blocks(array(
      select row(a.tenant_id, a.company_id, a.list, a.start_key, a.n - b.n)::order_chunks
      from after a join before b using (tenant_id, company_id, list, start_key)));
  end if;
  return null;
end
$$;

-- The range of a chunk that is deleted becomes part of the previous one. If a block began with it, the previous block gets the rest.
create function remove_from_blocks() returns trigger language plpgsql as $$
declare
  rest bigint;
begin
  old.n := -old.n;
  perform add_to_blocks(array[old]);
  delete from order_blocks
  where tenant_id = old.tenant_id and company_id = old.company_id and list = old.list and start_key = old.start_key
  returning n into rest;
  if found then
    old.n := rest;
    perform add_to_blocks(array[old]);
  end if;
  return null;
end
$$;

create trigger count_added_chunks after insert on order_chunks
  referencing new table as after for each statement execute function change_blocks();
create trigger count_changed_chunks after update on order_chunks
  referencing new table as after old table as before for each statement execute function change_blocks();
create trigger count_removed_chunks after delete on order_chunks
  for each row execute function remove_from_blocks();
