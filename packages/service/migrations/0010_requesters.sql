-- Links for requesters, who choose the clinic of an order, and bookings found by their clinic.

-- Whom a link was sent to: what it opens depends on it. All so far were sent to participants.
alter table order_links add column recipient text collate "C" not null default 'participant'
  check (recipient in ('participant', 'requester'));

-- The clinic that the participant has still to go to.
alter table orders add column awaited_at text collate "C";
update orders set awaited_at = content #>> '{clinic,id}'
where content #>> '{clinic,id}' is not null and exists (
  select from jsonb_array_elements(content -> 'services') service
  where service ->> 'category' <> 'background' and service ->> 'status' in ('ordered', 'linkSent', 'scheduled'));
create index orders_awaited on orders (tenant_id, awaited_at) where awaited_at is not null;
create index clinics_inactive on clinics (tenant_id, id) where not is_active;
