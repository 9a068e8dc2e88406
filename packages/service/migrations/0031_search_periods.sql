-- Operators search one period after the other, newest first. A period is about twelve days: `substr(order_id, 5, 4)`, the beginning of
-- the time with which the id of an order begins, after `ord_`.

-- The periods that have orders, newest first, found by a step through the index for each.
create function search_periods(tenant text) returns setof text stable language sql
set enable_seqscan = off as $$
  with recursive found (period) as (
    (select substr(id, 5, 4) from orders where tenant_id = tenant order by id desc limit 1)
    union all
    select earlier.period from found cross join lateral (
      select substr(id, 5, 4) as period from orders where tenant_id = tenant and id < 'ord_' || found.period order by id desc limit 1) earlier)
  select period from found
$$;
