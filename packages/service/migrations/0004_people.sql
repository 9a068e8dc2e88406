-- What participants meet: whose test it is, and the texts they agree to.

-- The tenant's `branding` and `texts`, as its catalog file has them.
alter table tenants add column record jsonb not null default '{}';

-- The clinic that a notification about a booked time is for; null if it is for a person.
alter table notifications add column clinic_id text collate "C";

-- Participants and requesters who found no clinic or time, and ask an operator to find one. An order has at most one open request.
create table help_requests (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  -- Who asks, and what is in the way.
  recipient text collate "C" not null check (recipient in ('participant', 'requester')),
  reason text collate "C" not null,
  -- Where they looked, how far they can go and what else they wrote, sealed.
  content bytea not null,
  created_at timestamptz not null,
  done_at timestamptz,
  -- The token of the operator who closed it; null if a booking or the end of the order did.
  done_by text collate "C",
  primary key (tenant_id, id)
);
create unique index help_requests_open on help_requests (tenant_id, order_id) where done_at is null;
create index help_requests_of_order on help_requests (tenant_id, order_id);
create index help_requests_by_state on help_requests (tenant_id, (done_at is null), id desc);
