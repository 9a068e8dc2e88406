-- The schema, by feature. Later migrations are numbered files beside this one; applied files are never edited
-- (docs/decisions/0028-migrations.md).
--
-- Conventions:
-- - Every row carries its tenant, and the tenant leads every key, except where a row is looked up before its tenant is known.
-- - Ids are text in collation "C". Ids made by the service sort by time of creation, so "newest first" is descending id.
-- - Personal data, test results and receivers' secrets are sealed by the service before they are stored
--   (docs/decisions/0022-at-rest.md). "Sealed" below means AES-256-GCM with the key id beside the value. Sealed values do not
--   compress, hence `storage external`.
-- - Columns marked "plain text of earlier builds" are always null or empty in new rows. The service seals what it finds there in
--   the background; the `*_in_plain_text` indexes find it.
-- - There are no foreign keys from orders to the catalog: the same transaction has just read the catalog, and rows stay there.

create extension if not exists cube;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create extension if not exists btree_gist;


-- Catalog ---------------------------------------------------------------------------------------------------------------------
--
-- What operators set up in catalog files. Ids are the operator's own. `record` holds an entry as its file has it: files are
-- compared with it, and exports are made from it. `*_key` columns are folded to lower case by the service, so that sorting and
-- filtering do not depend on the database's locale. `is_active` is false for entries that a file has switched off or no longer
-- names; `removed_at` is set only for the latter.

create table tenants (
  id text collate "C" primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table services (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  record jsonb not null,
  name text collate "C" not null,
  name_key text collate "C" not null,
  category text not null,
  type text not null,
  is_dot boolean not null,
  is_active boolean not null,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

create table packages (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  record jsonb not null,
  name text collate "C" not null,
  name_key text collate "C" not null,
  service_ids text[] not null,
  is_active boolean not null,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

create table companies (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  record jsonb not null,
  name text collate "C" not null,
  name_key text collate "C" not null,
  phone text,
  address jsonb,
  package_ids text[] not null,
  settings jsonb not null,
  is_active boolean not null,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

create table locations (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  company_id text collate "C" not null,
  record jsonb not null,
  name text collate "C" not null,
  name_key text collate "C" not null,
  phone text,
  address jsonb,
  -- Empty: the location offers its company's packages.
  package_ids text[] not null,
  settings jsonb not null,
  is_active boolean not null,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index locations_in_order on locations (tenant_id, company_id, name_key, name, id);

create table clinics (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  name text collate "C" not null,
  name_key text collate "C" not null,
  phone text,
  address jsonb,
  city_key text collate "C" not null,
  state_key text collate "C" not null,
  lat double precision,
  long double precision,
  -- A point on a sphere, in miles: straight-line distance sorts clinics as distance along the ground does.
  position cube,
  -- The words that a text search finds the clinic by.
  words text[] not null,
  service_ids text[] not null,
  fee numeric,
  is_active boolean not null,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
-- `is_active` is in these three for index-only scans of totals and deep pages.
create index clinics_in_order on clinics (tenant_id, name_key, name, id, is_active);
create index clinics_counted on clinics (tenant_id, is_active);
create index clinics_by_state on clinics (tenant_id, state_key, name_key, name, id, is_active);
create index clinics_by_part_of_name on clinics using gin (tenant_id, name_key gin_trgm_ops);
create index clinics_by_city on clinics using gin (tenant_id, city_key gin_trgm_ops);
create index clinics_by_position on clinics using gist (tenant_id, position);
create index clinics_by_word on clinics using gin (tenant_id, words);
create index clinics_inactive on clinics (tenant_id, id) where not is_active;

-- The `record` of each clinic. Kept apart, so that the rows that searches read stay small.
create table clinic_records (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  record jsonb not null,
  primary key (tenant_id, id)
);

-- Every word of a tenant's clinics once. Misspelt words are corrected here before clinics are searched.
create table clinic_words (
  tenant_id text collate "C" not null references tenants,
  word text collate "C" not null,
  -- The word, and the word without each of its letters: two words one edit apart share one of these.
  remnants text[] not null,
  primary key (tenant_id, word)
);
create index clinic_words_alike on clinic_words using gin (tenant_id, word gin_trgm_ops);
create index clinic_words_one_slip_apart on clinic_words using gin (tenant_id, remnants);

-- A laboratory's own code (HL7 OBR-4) for a service of the catalog.
create table laboratory_codes (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  record jsonb not null,
  lab text collate "C" not null,
  code text collate "C" not null,
  service_id text collate "C" not null,
  is_active boolean not null,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index laboratory_codes_by_code on laboratory_codes (tenant_id, code, lab) where is_active;

-- One row. Every change of the catalog or of a token raises it, so that nodes know when their caches are stale.
create table catalog_version (
  single boolean primary key default true check (single),
  version bigint not null
);
insert into catalog_version (version) values (1);


-- Access ----------------------------------------------------------------------------------------------------------------------

create table tokens (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  name text not null,
  scopes text[] not null,
  company_ids text[] not null,
  -- The senders whose result reports the token may submit: a list of {id, role, labs, timezone}. Null: any sender its scopes allow.
  senders jsonb,
  -- SHA-256 of the secret; null until one is issued. The secret itself is not stored.
  secret_hash bytea unique,
  rate_limit integer,
  expires_at timestamptz,
  -- 'catalog' tokens come and go with their file; 'issued' ones are made by the operator, and files leave them alone.
  origin text not null check (origin in ('catalog', 'issued')),
  is_active boolean not null default true,
  -- Set by the operator; a catalog file never undoes it.
  revoked_at timestamptz,
  -- The token was revoked together with its callbacks. A create in flight at that moment may still register one; no events are
  -- made for callbacks of such a token.
  ends_callbacks boolean not null default false,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);


-- Orders ----------------------------------------------------------------------------------------------------------------------

-- The key of an order in the `updated` list: sorts by time of update, then by id.
create function updated_key(at timestamptz, id text) returns text immutable parallel safe language sql
  return lpad((extract(epoch from at) * 1000)::bigint::text, 15, '0') || ' ' || id;

-- An order is one row: its services and their histories are part of it, and are read and written with it.
create table orders (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  code text collate "C" not null,
  company_id text collate "C" not null,
  location_id text collate "C" not null,
  status text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  -- When time alone changes the order next: it expires, or its booking counts as missed.
  due_at timestamptz,
  -- The booked clinic that the participant has not been to yet, and the time of the appointment.
  awaited_clinic_id text collate "C",
  appointment_at timestamptz,
  -- Keyed hashes of the specimen ids.
  specimen_keys bigint[] not null default '{}',
  -- Keyed hashes: orders that may be for the same person and purpose share one. Triggers copy them to table `blocking_keys`.
  blocking_keys bigint[] not null,
  -- The order and its participant as responses show them, sealed: reading an order builds no JSON.
  sealed_answer bytea,
  -- The order as the domain rules use it, sealed.
  sealed_content bytea,
  -- Plain text of earlier builds; `identifiers` is sealed.
  specimen_ids text[] not null default '{}',
  head text,
  participant text,
  identifiers bytea,
  content jsonb,
  primary key (tenant_id, id)
) with (
  -- A row in one piece is read with one page access.
  toast_tuple_target = 8160,
  -- By default a large table is analyzed after a tenth of it has changed: too late for a new company with thousands of orders.
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
alter table orders alter column sealed_answer set storage external, alter column sealed_content set storage external;

create unique index orders_by_code on orders (tenant_id, code);
create index orders_of_company on orders (tenant_id, company_id, id desc);
create index orders_at_location on orders (tenant_id, location_id, id desc);
create index orders_by_status on orders (tenant_id, company_id, status, id desc);
create index orders_by_update on orders (tenant_id, company_id, updated_key(updated_at, id));
create index orders_by_specimen_key on orders using gin (tenant_id, specimen_keys) where specimen_keys <> '{}';
create index orders_by_specimen on orders using gin (tenant_id, specimen_ids) where specimen_ids <> '{}';
create index orders_due on orders (due_at) where due_at is not null;
create index orders_awaited on orders (tenant_id, awaited_clinic_id) where awaited_clinic_id is not null;
create index orders_in_plain_text on orders (tenant_id, id) where head is not null;

-- Responses to creates that carried an idempotency key, kept for a day: a repeat gets the first response.
create table idempotency_keys (
  tenant_id text collate "C" not null,
  token_id text collate "C" not null,
  key text collate "C" not null,
  status integer not null,
  -- The hash of the request and the response, sealed.
  answer bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, token_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);


-- Order counts ----------------------------------------------------------------------------------------------------------------
--
-- Exact totals and deep pages without counting rows. A list is a set of orders of one company, sorted by a key: `all`,
-- `location <id>` and `status <status>` by order id, `updated` by `updated_key`. Its orders are counted in chunks of about a
-- thousand. Each change of an order appends a row to `order_changes`, which no other writer waits for; folding moves these rows
-- into the chunks in one transaction. At any moment chunks and unfolded changes together give the exact number.

create table order_changes (
  seq bigint generated always as identity,
  tenant_id text collate "C" not null,
  company_id text collate "C" not null,
  location_id text collate "C" not null,
  order_id text collate "C" not null,
  -- The old values are null for a new order, the new ones for a removed order.
  old_status text collate "C",
  new_status text collate "C",
  old_updated_at timestamptz,
  new_updated_at timestamptz
);
create index order_changes_of_company on order_changes (tenant_id, company_id);
create index order_changes_in_turn on order_changes (seq);

-- `n` orders have keys from `start_key` up to the next chunk's.
create table order_chunks (
  tenant_id text collate "C" not null,
  company_id text collate "C" not null,
  list text collate "C" not null,
  start_key text collate "C" not null,
  n bigint not null,
  primary key (tenant_id, company_id, list, start_key)
);
create index order_chunks_too_large on order_chunks (n) where n >= 2000;

-- What each change does to each list: one row per list that the order enters (1) or leaves (-1).
create view order_list_changes as
  select c.seq, c.tenant_id, c.company_id, entry.list collate "C" as list, entry.key collate "C" as key, entry.n
  from order_changes c cross join lateral (values
    ('all', c.order_id, (c.new_status is not null)::int - (c.old_status is not null)::int),
    ('location ' || c.location_id, c.order_id, (c.new_status is not null)::int - (c.old_status is not null)::int),
    ('status ' || c.new_status, c.order_id, case when c.old_status is distinct from c.new_status then 1 else 0 end),
    ('status ' || c.old_status, c.order_id, case when c.old_status is distinct from c.new_status then -1 else 0 end),
    ('updated', updated_key(c.new_updated_at, c.order_id), 1),
    ('updated', updated_key(c.old_updated_at, c.order_id), -1)
  ) as entry(list, key, n)
  where entry.list is not null and entry.key is not null and entry.n <> 0;


-- Matching --------------------------------------------------------------------------------------------------------------------

-- The blocking keys of all orders, one row each, so that a search can read the newest orders of a key and stop. A GIN index on
-- `orders.blocking_keys` would have to read all orders that share the key. Filled by the triggers below.
create table blocking_keys (
  tenant_id text collate "C" not null,
  key bigint not null,
  order_id text collate "C" not null,
  primary key (tenant_id, key, order_id)
);

create function add_blocking_keys() returns trigger language plpgsql as $$
begin
  insert into blocking_keys (tenant_id, key, order_id)
  select tenant_id, key, id from added, unnest(added.blocking_keys) as key
  on conflict do nothing;
  return null;
end
$$;

-- `enable_seqscan = off` keeps the plan independent of statistics: a cached plan stays good while the table grows.
create function change_blocking_keys() returns trigger language plpgsql
set enable_seqscan = off as $$
begin
  delete from blocking_keys
  where tenant_id = old.tenant_id and key = any(old.blocking_keys) and order_id = old.id
    and (tg_op = 'DELETE' or key <> all(new.blocking_keys));
  -- Most orders lose all their keys, when they are closed.
  if tg_op = 'UPDATE' and cardinality(new.blocking_keys) > 0 then
    insert into blocking_keys (tenant_id, key, order_id)
    select new.tenant_id, key, new.id from unnest(new.blocking_keys) as key
    on conflict do nothing;
  end if;
  return null;
end
$$;

create trigger add_blocking_keys after insert on orders
  referencing new table as added for each statement execute function add_blocking_keys();
-- Per row with a condition: most updates leave the keys as they are, and then cost nothing here.
create trigger change_blocking_keys after update on orders
  for each row when (old.blocking_keys <> new.blocking_keys) execute function change_blocking_keys();
create trigger remove_blocking_keys after delete on orders
  for each row execute function change_blocking_keys();

-- The orders that a new one is compared with: at most `max_orders`, newest first. The newest orders of each key are taken in
-- turn, so that a key shared by many orders does not displace one shared by few. The settings keep the plan independent of
-- statistics.
create function find_candidates(tenant text, companies text[], keys bigint[], since timestamptz, at timestamptz, profile text,
  max_orders int)
returns setof orders stable language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select o.*
    from (
      select found.order_id
      from unnest(keys) as searched (key)
      cross join lateral (
        select b.order_id, row_number() over (order by b.order_id desc) as place
        from blocking_keys b
        where b.tenant_id = tenant and b.key = searched.key
        order by b.order_id desc limit max_orders) found
      group by found.order_id
      order by min(found.place), found.order_id desc limit max_orders) picked
    cross join lateral (
      select * from orders where orders.tenant_id = tenant and orders.id = picked.order_id offset 0) o
    where o.company_id = any(companies) and o.created_at >= since
      and case when profile = 'standard'
        then o.status in ('ordered', 'scheduled') and (o.expires_at is null or o.expires_at > at)
        else o.status not in ('cancelled', 'expired', 'noShow', 'testCancelled') end
    order by o.id desc;
end
$$;

-- Which of these new orders have a candidate that their search did not find, because it was placed since. Takes an advisory lock
-- per blocking key first, and so waits for others that are placing an order with the same key. Must stay volatile: its query then
-- sees what was committed while it waited.
create function find_overtaken(locks bigint[], ids text[], founds text[], tenants text[], companies text[], keys text[],
  since text[], at text[], profiles text[])
returns setof text volatile language plpgsql as $$
begin
  perform pg_advisory_xact_lock(key) from unnest(locks) as key;
  return query
    select s.id
    from unnest(ids, founds, tenants, companies, keys, since, at, profiles)
      as s (id, found, tenant, companies, keys, since, at, profile)
    where exists (
      select from find_candidates(s.tenant, s.companies::text[], s.keys::bigint[], s.since::timestamptz, s.at::timestamptz,
        s.profile, 50) o
      where o.id <> s.id and o.id <> all(s.found::text[]));
end
$$;

-- Why a create was answered with an existing order, for the operator who is asked about it.
create table order_matches (
  seq bigint generated always as identity,
  tenant_id text collate "C" not null,
  order_id text collate "C" not null,
  token_id text collate "C" not null,
  at timestamptz not null,
  score numeric not null,
  -- Fields, weights and similarities; no personal data.
  explanation jsonb not null,
  primary key (tenant_id, order_id, seq)
);


-- Webhooks --------------------------------------------------------------------------------------------------------------------

-- Where changes of an order are reported, and in which version. An address is registered once per order: registering locks the
-- order's row.
create table callbacks (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  version text not null check (version in ('v1', 'v2')),
  -- Scheme, host and port. The whole URL is sealed with the credentials, since its query may hold some.
  origin text collate "C" not null default '',
  -- URL, headers and credentials, sealed.
  secrets bytea not null,
  -- Whether the token that registered it may read the participant: v1 deliveries carry the whole order.
  shows_participant boolean not null,
  created_at timestamptz not null,
  -- When it was last registered: a response to a request sent before then says nothing about it.
  registered_at timestamptz not null default now(),
  -- The token that registered it and the one that last changed it. Null: not recorded, or never changed.
  registered_by text collate "C",
  changed_by text collate "C",
  changed_at timestamptz,
  ended_at timestamptz,
  end_reason text collate "C" check (end_reason in ('gone', 'operator', 'tokenRevoked')),
  -- Plain text of earlier builds.
  url text,
  primary key (tenant_id, id)
);
create index callbacks_of_order on callbacks (tenant_id, order_id);
-- A callback belongs to the token that last set it.
create index callbacks_of_token on callbacks (tenant_id, coalesce(changed_by, registered_by), id);
create index callbacks_by_origin on callbacks (tenant_id, origin, id);
create index callbacks_in_plain_text on callbacks (tenant_id, id) where url is not null;

create table events (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index events_of_order on events (tenant_id, order_id, id);

-- One event for one callback. Every attempt sends the same bytes.
--
-- A worker claims what is due with a lease, sends it and records the outcome. `claim_id` is a fencing token: a worker that wakes
-- up after its lease finds another claim there and records nothing. 'held' deliveries are parked: they wait for their receiver,
-- whose queue is full, whose circuit breaker is open or which is paused, and are claimed by receiver.
create table deliveries (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  callback_id text collate "C" not null,
  order_id text collate "C" not null,
  version text not null,
  -- The receiver: scheme, host and port.
  origin text collate "C" not null,
  -- Sealed; null some time after the end, since v1 deliveries are copies of orders.
  body bytea,
  state text not null default 'waiting' check (state in ('waiting', 'held', 'delivered', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  -- Since when it waits: its creation or its last replay.
  queued_at timestamptz not null default now(),
  -- The claim, its worker and its end. No index covers these columns, so that claiming is a HOT update.
  claim_id uuid,
  claimed_by uuid,
  claimed_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- Why it ended, where no attempt says so.
  reason text,
  primary key (tenant_id, id)
) with (fillfactor = 50); -- room for HOT updates
create index deliveries_due on deliveries (due_at) where state = 'waiting';
create index deliveries_held on deliveries (tenant_id, origin, due_at) where state = 'held';
create index deliveries_of_order on deliveries (tenant_id, order_id, id);
create index deliveries_by_origin on deliveries (tenant_id, origin, state, id);
-- Lists by state, newest first. Each delivery is in one of these three.
create index deliveries_open on deliveries (tenant_id, state, id) where state in ('waiting', 'held');
create index deliveries_delivered on deliveries (tenant_id, id) where state = 'delivered';
create index deliveries_failed on deliveries (tenant_id, id) where state = 'failed';
create index deliveries_to_forget on deliveries (ended_at) where body is not null and ended_at is not null;

-- What each attempt got back; nothing that was sent.
create table delivery_attempts (
  seq bigint generated always as identity,
  tenant_id text collate "C" not null,
  delivery_id text collate "C" not null,
  at timestamptz not null,
  ms integer not null,
  -- The HTTP status; null without a response.
  status integer,
  -- The class of failure, without a response.
  error text,
  -- The start of the response, or why there was none, sealed.
  answer bytea,
  -- Plain text of earlier builds.
  detail text,
  excerpt text,
  primary key (tenant_id, delivery_id, seq)
);
create index delivery_attempts_by_age on delivery_attempts (at);
create index delivery_attempts_in_plain_text on delivery_attempts (tenant_id, delivery_id, seq) where excerpt is not null;

-- One row per running worker, renewed every few seconds. A claim holds while its worker's lease does, so that keeping thousands
-- of claims costs one small update.
create table delivery_workers (
  id uuid primary key,
  alive_until timestamptz not null
);

-- Circuit breakers. A healthy receiver has no row.
create table receivers (
  tenant_id text collate "C" not null,
  origin text collate "C" not null,
  -- Consecutive failures.
  failures integer not null default 0,
  -- The breaker is open until then; after that one probe decides whether the rest may follow.
  open_until timestamptz,
  -- How long it was last open, in seconds.
  closed_for integer not null default 0,
  -- When the probe that is in flight was sent.
  probed_at timestamptz,
  -- Set while the operator has paused it.
  paused_at timestamptz,
  primary key (tenant_id, origin)
);


-- Results ---------------------------------------------------------------------------------------------------------------------

-- Every accepted report of a laboratory, reviewer or collection site: applied to an order, or queued for an operator. A repeat
-- gets the first response, so a report is kept as long as its order.
create table result_reports (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  sender_kind text collate "C" not null,
  sender_id text collate "C" not null,
  -- The sender's own id for the report (`messageId` in the API), unique per token.
  message_id text collate "C" not null,
  token_id text collate "C" not null,
  state text collate "C" not null check (state in ('applied', 'queued', 'dismissed')),
  -- Why it is, or was, queued.
  why text collate "C",
  event text collate "C" not null,
  order_id text collate "C",
  service_id text collate "C",
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  settled_at timestamptz,
  settled_by text collate "C",
  -- A keyed hash that tells a repeat from another report with the same id.
  content_code bytea,
  -- The report as received, sealed.
  content bytea not null,
  -- Of earlier builds: a hash without a key.
  content_hash bytea,
  primary key (tenant_id, id)
);
create unique index result_reports_by_token on result_reports (tenant_id, token_id, message_id);
create index result_reports_by_state on result_reports (tenant_id, state, id desc);
create index result_reports_of_sender on result_reports (tenant_id, sender_id, id desc);
create index result_reports_of_order on result_reports (tenant_id, order_id, id) where order_id is not null;
create index result_reports_in_plain_text on result_reports (tenant_id, id) where content_hash is not null;

create table documents (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  -- The result report that it came with.
  result_id text collate "C" not null,
  sealed_name bytea,
  content_type text not null,
  size integer not null,
  created_at timestamptz not null,
  -- Sealed.
  content bytea not null,
  -- Plain text of earlier builds.
  name text,
  primary key (tenant_id, id)
);
alter table documents alter column content set storage external;
create index documents_of_result on documents (tenant_id, result_id, id);
create index documents_by_age on documents (tenant_id, created_at);
create index documents_in_plain_text on documents (tenant_id, id) where name is not null;

-- HL7 messages that were refused: not for us, or from a sender that the token may not submit for.
create table refused_reports (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  token_id text collate "C" not null,
  -- How it arrived: 'http' or 'mllp'.
  door text collate "C" not null,
  -- The acknowledgement: 'AE' or 'AR'.
  code text collate "C" not null,
  reason text not null,
  -- From the message header; empty where it could not be read.
  sender text not null,
  control_id text not null,
  address text,
  -- Of the whole message in bytes; `content` may hold only its beginning.
  size integer not null,
  -- A keyed hash: the same bytes sent again raise `count`.
  content_hash bigint not null,
  -- Sealed.
  content bytea not null,
  count integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, id)
);
alter table refused_reports alter column content set storage external;
create unique index refused_reports_by_content on refused_reports (tenant_id, token_id, content_hash);
create index refused_reports_in_order on refused_reports (tenant_id, last_at desc, id desc);
create index refused_reports_by_age on refused_reports (last_at);


-- Notifications and links -----------------------------------------------------------------------------------------------------

-- E-mails and text messages to participants and requesters. The text is composed when it is sent.
create table notifications (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  kind text collate "C" not null,
  -- Each channel has its own queue: a mail server that hangs does not delay text messages.
  channel text collate "C" not null,
  -- The expiry or appointment that it is about; a reminder is dropped if that has changed since.
  refers_to timestamptz,
  -- The token whose create caused it; null if a later change of the order did.
  token_id text collate "C",
  -- 'uncertain': its worker died after handing it over. Sending it again might deliver it twice.
  state text collate "C" not null default 'waiting'
    check (state in ('waiting', 'sending', 'sent', 'failed', 'dropped', 'uncertain')),
  -- Why it waits, other than for its time.
  reason text collate "C" check (reason in ('quota')),
  -- Counted against the quota, or let through by an operator: a retry is not counted again.
  is_released boolean not null default false,
  due_at timestamptz not null,
  -- All attempts, and those since an operator last asked to send it again.
  attempts integer not null default 0,
  tries integer not null default 0,
  claim_id uuid,
  lease_until timestamptz,
  -- When it was handed over. If its worker dies before that, another one sends it.
  left_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id)
);
create index notifications_due on notifications (channel, due_at) where state = 'waiting';
create index notifications_claimed on notifications (lease_until) where state = 'sending';
create index notifications_of_order on notifications (tenant_id, order_id, id);
create index notifications_by_state on notifications (tenant_id, state, id desc);
create index notifications_ended on notifications (tenant_id, ended_at) where ended_at is not null;
create index notifications_over_quota on notifications (tenant_id, id desc) where reason = 'quota';

create table notification_attempts (
  tenant_id text collate "C" not null,
  notification_id text collate "C" not null,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  outcome text collate "C" not null,
  -- The server's reply, sealed.
  answer bytea,
  -- Plain text of earlier builds.
  detail text,
  primary key (tenant_id, notification_id, number)
);
create index notification_attempts_in_plain_text on notification_attempts (tenant_id, notification_id, number)
  where detail is not null;

-- Notifications sent per token and day (UTC), for the quota. Counted when they are sent, so that creates do not wait for one row.
create table notification_counts (
  tenant_id text collate "C" not null,
  token_id text collate "C" not null,
  day date not null,
  sent integer not null,
  primary key (tenant_id, token_id, day)
);
create index notification_counts_by_age on notification_counts (day);

-- What a sandbox without a mail server would have sent, sealed.
create table mailbox (
  id text collate "C" primary key,
  notification_id text collate "C" not null,
  at timestamptz not null,
  content bytea not null
);

-- Links to the pages of participants and requesters. Only the hash of the secret in the address is stored.
create table order_links (
  secret_hash bytea primary key,
  tenant_id text collate "C" not null,
  order_id text collate "C" not null,
  -- Whom the link was sent to: it decides which pages the link opens.
  recipient text collate "C" not null default 'participant' check (recipient in ('participant', 'requester')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index order_links_of_order on order_links (tenant_id, order_id);
create index order_links_by_age on order_links (expires_at);


-- Audit log -------------------------------------------------------------------------------------------------------------------
--
-- An append-only log with a hash chain per tenant (docs/decisions/0019-audit-and-retention.md). The transaction of an action
-- inserts its entry. A background task then links it: its number in the chain, the previous link's hash, and a hash over both and
-- the entry. Links have their own table, so that INSERT and SELECT are all the rights that writing the log takes.

create table audit_entries (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz not null,
  -- The token, or 'local' for a command that works on the database; then also who ran it and where.
  token_id text collate "C" not null,
  os_user text collate "C",
  host text collate "C",
  action text collate "C" not null,
  subject_type text collate "C" not null,
  subject_id text collate "C" not null,
  -- A salted hash of the details: they can be resealed or erased without breaking the chain.
  details_hash bytea,
  primary key (tenant_id, id)
);
create index audit_entries_of_subject on audit_entries (tenant_id, subject_id, id desc);
create index audit_entries_by_action on audit_entries (tenant_id, action, id desc);
create index audit_entries_by_token on audit_entries (tenant_id, token_id, id desc);

-- The operator's reason and the values before and after, sealed. One row per key: a rotation adds a copy. `key_id` is '' and the
-- first byte of `content` 0 for plain text of earlier builds.
create table audit_details (
  tenant_id text collate "C" not null,
  entry_id text collate "C" not null,
  key_id text collate "C" not null,
  content bytea not null,
  primary key (tenant_id, entry_id, key_id)
);
create index audit_details_in_plain_text on audit_details (tenant_id, entry_id) where key_id = '';

create table audit_links (
  tenant_id text collate "C" not null,
  seq bigint not null check (seq > 0),
  entry_id text collate "C" not null,
  entry_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  linked_at timestamptz not null default now(),
  primary key (tenant_id, seq)
);
create unique index audit_links_of_entry on audit_links (tenant_id, entry_id);

-- Entries without a link. Filled by a trigger, so that no way of writing an entry can forget it.
create table audit_unlinked (
  tenant_id text collate "C" not null,
  entry_id text collate "C" not null,
  primary key (tenant_id, entry_id)
);

-- Where a tenant's log begins after older entries were pruned: number and hash of the last pruned link, signed. One row per key:
-- a rotation signs it again.
create table audit_checkpoints (
  tenant_id text collate "C" not null,
  seq bigint not null,
  key_id text collate "C" not null,
  hash bytea not null,
  -- All pruned entries are older than this.
  until timestamptz not null,
  signature bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, seq, key_id)
);

-- Entries whose details were erased on purpose, and the entry that records the erasure.
create table audit_erasures (
  tenant_id text collate "C" not null,
  entry_id text collate "C" not null,
  erased_by text collate "C" not null,
  primary key (tenant_id, entry_id)
);

-- Pruning is the one exception. It sets `ots.pruning` for its transaction; the service's role has no right to delete at all.
create function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('ots.pruning', true) = 'on' then
    return null;
  end if;
  raise exception 'Entries of % are never changed or removed.', tg_table_name;
end $$;
create trigger audit_entries_stay before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();
create trigger audit_links_stay before update or delete or truncate on audit_links
  for each statement execute function refuse_change();

create function queue_audit_entries() returns trigger language plpgsql security definer as $$
begin
  insert into audit_unlinked (tenant_id, entry_id) select tenant_id, id from added on conflict do nothing;
  return null;
end $$;
create trigger audit_entries_queued after insert on audit_entries referencing new table as added
  for each statement execute function queue_audit_entries();


-- Retention -------------------------------------------------------------------------------------------------------------------

-- Orders that retention leaves alone. The reason is in the audit entry that placed the hold.
create table legal_holds (
  tenant_id text collate "C" not null,
  order_id text collate "C" not null,
  placed_at timestamptz not null,
  entry_id text collate "C" not null,
  primary key (tenant_id, order_id)
);


-- Keys, roles and statistics --------------------------------------------------------------------------------------------------

-- A value sealed with each key in use, so that a start with wrong keys fails at once and not at the first order.
create table key_checks (
  key_id text collate "C" primary key,
  sealed bytea not null
);

-- Roles that run the service without owning the schema. Every `ots migrate` grants them what they need.
create table runtime_roles (
  name text collate "C" primary key,
  granted_at timestamptz not null default now()
);

-- The next two functions run with the rights of the schema's owner: only an owner may analyze.

-- After large catalog changes: analyzes the tables and merges pending entries of their GIN indexes.
create function settle_tables(names text[]) returns void language plpgsql security definer as $$
declare
  settled regclass;
begin
  for settled in
    select oid from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any(names) loop
    execute format('analyze %s', settled);
    perform gin_clean_pending_list(i.indexrelid::regclass)
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = settled and a.amname = 'gin';
  end loop;
end $$;
revoke execute on function settle_tables(text[]) from public;

-- Analyzes the tables that have outgrown their statistics, and returns their names. A session keeps its plans until a table is
-- analyzed, and autovacuum checks once a minute: too late for tables that grow by thousands of rows in that time. Size is read
-- from the file, which is known at once; the counters of changes lag behind.
create function renew_statistics() returns setof text language plpgsql security definer as $$
declare
  outgrown text;
begin
  if not pg_try_advisory_xact_lock(hashtext('order-testing-statistics')) then return; end if;
  for outgrown in
    select c.relname from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and (pg_relation_size(c.oid) / current_setting('block_size')::int > 16 + 1.5 * greatest(c.relpages, 0)
        or s.n_mod_since_analyze > 1000 + 0.5 * s.n_live_tup)
  loop
    execute format('analyze %I', outgrown);
    return next outgrown;
  end loop;
end
$$;
revoke execute on function renew_statistics() from public;

-- Functions that run with their owner's rights resolve names in this schema alone.
do $$
begin
  execute format('alter function queue_audit_entries() set search_path = %I, pg_temp', current_schema());
  execute format('alter function settle_tables(text[]) set search_path = %I, pg_temp', current_schema());
  execute format('alter function renew_statistics() set search_path = %I, pg_temp', current_schema());
end $$;
