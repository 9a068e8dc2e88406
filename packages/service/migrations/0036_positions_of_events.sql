-- Events that a retention policy had deleted kept their positions: the total of the list of events was too high, and a page of such
-- positions was empty.

-- Nothing may be folded meanwhile.
select pg_advisory_xact_lock(hashtext('order-testing-counts'));

with unlisted as (
  delete from event_positions p
  where not exists (select from events e where e.tenant_id = p.tenant_id and e.id = p.event_id)
  returning p.tenant_id, p.company_id, p.is_resend)
update event_counts c set n = c.n - unlisted.n
from (select tenant_id, company_id, count(*) as n from unlisted where not is_resend group by 1, 2) unlisted
where c.tenant_id = unlisted.tenant_id and c.company_id = unlisted.company_id;
