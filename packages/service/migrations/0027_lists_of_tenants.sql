-- Lists of all companies of a tenant together, kept under the company ''. Nodes of the previous build fold changes into them, too,
-- because they use the view. They cannot divide them, and while they try, divide no other chunk either: until the last of them is
-- replaced, counts within a range of time read more rows.

-- Nothing may be folded between the two statements.
select pg_advisory_xact_lock(hashtext('order-testing-counts'));

create or replace view order_list_changes as
  select c.seq, c.tenant_id, owner.company_id collate "C" as company_id, entry.list collate "C" as list, entry.key collate "C" as key,
    entry.n
  from order_changes c cross join lateral (values
    ('all', c.order_id, (c.new_status is not null)::int - (c.old_status is not null)::int),
    ('location ' || c.location_id, c.order_id, (c.new_status is not null)::int - (c.old_status is not null)::int),
    ('status ' || c.new_status, c.order_id, case when c.old_status is distinct from c.new_status then 1 else 0 end),
    ('status ' || c.old_status, c.order_id, case when c.old_status is distinct from c.new_status then -1 else 0 end),
    ('updated', updated_key(c.new_updated_at, c.order_id), 1),
    ('updated', updated_key(c.old_updated_at, c.order_id), -1)
  ) as entry(list, key, n) cross join lateral (values (c.company_id), ('')) as owner(company_id)
  where entry.list is not null and entry.key is not null and entry.n <> 0
    -- A location is of one company.
    and (owner.company_id <> '' or entry.list not like 'location %');

-- One chunk each, which is split in the background.
insert into order_chunks (tenant_id, company_id, list, start_key, n)
select tenant_id, '', list, '', sum(n) from order_chunks where list not like 'location %' group by tenant_id, list;
