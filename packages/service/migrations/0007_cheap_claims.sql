-- Claims that cost little, and deliveries that tell why they were given up.
--
-- A claim used to move `due_at`, and so wrote a new entry into every index. `claimed_until` stands in none: the new
-- version of the row stays in its page, as long as there is room for it, and no index hears of it. For the same
-- reason a held delivery that is claimed stays `held`.

alter table deliveries
  -- A claim holds until then; what a worker that died had taken is free again after it.
  add column claimed_until timestamptz,
  -- Why it ended without an attempt that says so.
  add column reason text,
  set (fillfactor = 50);

-- What is claimed now was given the end of its lease as the time when it is due.
update deliveries set claimed_until = due_at where claim_id is not null;

-- Receivers are known by their origin as URLs have it: without the port that goes without saying.
update receivers r set origin = regexp_replace(origin, ':\d+$', '')
where origin ~ '^(https://.*:443|http://.*:80)$' and not exists (
  select from receivers o where o.tenant_id = r.tenant_id and o.origin = regexp_replace(r.origin, ':\d+$', ''));
delete from receivers where origin ~ '^(https://.*:443|http://.*:80)$';
update deliveries set origin = regexp_replace(origin, ':\d+$', '') where origin ~ '^(https://.*:443|http://.*:80)$';
