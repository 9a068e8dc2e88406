-- Orders on file that a new one is compared with, newest first.
create function orders_alike(tenant text, companies text[], keys bigint[], since timestamptz, at timestamptz, profile text)
returns setof orders stable language sql as $$
  -- 'offset 0' keeps the planner to the keys, which few orders share: of a status or company there may be many.
  select * from (select * from orders where match_keys && keys offset 0) alike
  where tenant_id = tenant and company_id = any(companies) and created_at >= since
    and case when profile = 'standard'
      then status in ('ordered', 'scheduled') and (expires_at is null or expires_at > at)
      else status not in ('cancelled', 'expired', 'noShow', 'testCancelled') end
  order by id desc limit 200
$$;

-- Which of these new orders have one like them on file that was not found when it was searched for. Whoever else is about
-- to place one like them is waited for: being volatile, the search sees what was committed until then, and
-- not only what the statement that calls it does.
create function orders_overtaken(locks bigint[], ids text[], founds text[], tenants text[], companies text[], keys text[],
  since text[], at text[], profiles text[])
returns setof text volatile language plpgsql as $$
begin
  perform pg_advisory_xact_lock(key) from unnest(locks) as key;
  return query
    select s.id
    from unnest(ids, founds, tenants, companies, keys, since, at, profiles)
      as s (id, found, tenant, companies, keys, since, at, profile)
    where exists (
      select from orders_alike(s.tenant, s.companies::text[], s.keys::bigint[], s.since::timestamptz, s.at::timestamptz,
        s.profile) o
      where o.id <> s.id and o.id <> all(s.found::text[]));
end
$$;
