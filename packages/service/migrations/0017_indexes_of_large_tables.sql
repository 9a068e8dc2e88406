-- online
-- Indexes of tables that may be large, for 0009 to 0012. They are made while the service runs.

create index concurrently if not exists audit_entries_by_user
  on audit_entries (tenant_id, user_id, id desc) where user_id is not null;

-- Orders that any node still has to seal or to make searchable, in the background.
create index concurrently if not exists orders_to_renew
  on orders (tenant_id, id) where head is not null or search_keys is null;
drop index concurrently if exists orders_in_plain_text;

-- Bookings of a day.
create index concurrently if not exists orders_by_appointment
  on orders (tenant_id, appointment_at) where awaited_clinic_id is not null and appointment_at is not null;

-- Links that nobody has opened.
create index concurrently if not exists order_links_unopened
  on order_links (tenant_id, created_at) where opened_at is null;

-- Orders whose tests are under way, by the time of their last change.
create index concurrently if not exists orders_under_way
  on orders (tenant_id, updated_at) where status in ('pending', 'incomplete', 'integrationError', 'lostInTransit', 'nonNegative');
