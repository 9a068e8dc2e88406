CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS cube WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE TABLE public.orders (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    code text NOT NULL COLLATE pg_catalog."C",
    company_id text NOT NULL COLLATE pg_catalog."C",
    location_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    specimen_ids text[] NOT NULL,
    head text NOT NULL,
    participant text NOT NULL,
    identifiers bytea,
    content jsonb NOT NULL,
    match_keys bigint[] NOT NULL,
    due_at timestamp with time zone,
    awaited_at text COLLATE pg_catalog."C"
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='5000');
CREATE FUNCTION public.orders_alike(tenant text, companies text[], keys bigint[], since timestamp with time zone, at timestamp with time zone, profile text) RETURNS SETOF public.orders
    LANGUAGE sql STABLE
    AS $$
  -- 'offset 0' keeps the planner to the keys, which few orders share: of a status or company there may be many.
  select * from (select * from orders where match_keys && keys offset 0) alike
  where tenant_id = tenant and company_id = any(companies) and created_at >= since
    and case when profile = 'standard'
      then status in ('ordered', 'scheduled') and (expires_at is null or expires_at > at)
      else status not in ('cancelled', 'expired', 'noShow', 'testCancelled') end
  order by id desc limit 200
$$;
CREATE FUNCTION public.orders_overtaken(locks bigint[], ids text[], founds text[], tenants text[], companies text[], keys text[], since text[], at text[], profiles text[]) RETURNS SETOF text
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'Entries of % are never changed or removed.', tg_table_name;
end $$;
CREATE FUNCTION public.updated_key(at timestamp with time zone, id text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((lpad((((EXTRACT(epoch FROM at) * (1000)::numeric))::bigint)::text, 15, '0'::text) || ' '::text) || id);
CREATE TABLE public.audit_entries (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL,
    token_id text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    subject_type text NOT NULL COLLATE pg_catalog."C",
    subject_id text NOT NULL COLLATE pg_catalog."C",
    reason text,
    before jsonb,
    after jsonb
);
CREATE TABLE public.callbacks (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL,
    url text NOT NULL,
    secrets bytea NOT NULL,
    shows_participant boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    registered_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT callbacks_version_check CHECK ((version = ANY (ARRAY['v1'::text, 'v2'::text])))
);
CREATE TABLE public.catalog_version (
    single boolean DEFAULT true NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT catalog_version_single_check CHECK (single)
);
CREATE TABLE public.clinic_records (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    record jsonb NOT NULL
);
CREATE TABLE public.clinic_words (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    word text NOT NULL COLLATE pg_catalog."C",
    remnants text[] NOT NULL
);
CREATE TABLE public.clinics (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    name_key text NOT NULL COLLATE pg_catalog."C",
    phone text,
    address jsonb,
    city_key text NOT NULL COLLATE pg_catalog."C",
    state_key text NOT NULL COLLATE pg_catalog."C",
    lat double precision,
    long double precision,
    "position" public.cube,
    words text[] NOT NULL,
    service_ids text[] NOT NULL,
    fee numeric,
    is_active boolean NOT NULL,
    removed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.companies (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    record jsonb NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    name_key text NOT NULL COLLATE pg_catalog."C",
    phone text,
    address jsonb,
    package_ids text[] NOT NULL,
    settings jsonb NOT NULL,
    is_active boolean NOT NULL,
    removed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.deliveries (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    callback_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL,
    body bytea,
    state text DEFAULT 'waiting'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp with time zone NOT NULL,
    origin text NOT NULL COLLATE pg_catalog."C",
    claim_id uuid,
    queued_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    claimed_until timestamp with time zone,
    reason text,
    CONSTRAINT deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'held'::text, 'delivered'::text, 'failed'::text])))
)
WITH (fillfactor='50');
CREATE TABLE public.delivery_attempts (
    seq bigint NOT NULL,
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    delivery_id text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL,
    ms integer NOT NULL,
    status integer,
    error text,
    detail text,
    excerpt text NOT NULL
);
ALTER TABLE public.delivery_attempts ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.delivery_attempts_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.documents (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    result_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    content_type text NOT NULL,
    size integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    content bytea NOT NULL
);
ALTER TABLE ONLY public.documents ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE TABLE public.events (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.idempotency_keys (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    token_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    status integer NOT NULL,
    answer bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.key_checks (
    key_id text NOT NULL COLLATE pg_catalog."C",
    sealed bytea NOT NULL
);
CREATE TABLE public.locations (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    company_id text NOT NULL COLLATE pg_catalog."C",
    record jsonb NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    name_key text NOT NULL COLLATE pg_catalog."C",
    phone text,
    address jsonb,
    package_ids text[] NOT NULL,
    settings jsonb NOT NULL,
    is_active boolean NOT NULL,
    removed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.mailbox (
    id text NOT NULL COLLATE pg_catalog."C",
    message_id text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL,
    content bytea NOT NULL
);
CREATE TABLE public.message_attempts (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    message_id text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    detail text
);
CREATE TABLE public.messages (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    channel text NOT NULL COLLATE pg_catalog."C",
    refers_to timestamp with time zone,
    state text DEFAULT 'waiting'::text NOT NULL COLLATE pg_catalog."C",
    due_at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    claim_id uuid,
    lease_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    left_at timestamp with time zone,
    CONSTRAINT messages_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'dropped'::text, 'uncertain'::text])))
);
CREATE TABLE public.order_changes (
    seq bigint NOT NULL,
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    company_id text NOT NULL COLLATE pg_catalog."C",
    location_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    old_status text COLLATE pg_catalog."C",
    new_status text NOT NULL COLLATE pg_catalog."C",
    old_updated_at timestamp with time zone,
    new_updated_at timestamp with time zone NOT NULL
);
ALTER TABLE public.order_changes ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.order_changes_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.order_chunks (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    company_id text NOT NULL COLLATE pg_catalog."C",
    list text NOT NULL COLLATE pg_catalog."C",
    start_key text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL
);
CREATE TABLE public.order_links (
    secret_hash bytea NOT NULL,
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    recipient text DEFAULT 'participant'::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT order_links_recipient_check CHECK ((recipient = ANY (ARRAY['participant'::text, 'requester'::text])))
);
CREATE VIEW public.order_list_changes AS
 SELECT c.seq,
    c.tenant_id,
    c.company_id,
    (entry.list COLLATE "C") AS list,
    (entry.key COLLATE "C") AS key,
    entry.n
   FROM (public.order_changes c
     CROSS JOIN LATERAL ( VALUES ('all'::text,c.order_id,
                CASE
                    WHEN (c.old_status IS NULL) THEN 1
                    ELSE 0
                END), (('location '::text || c.location_id),c.order_id,
                CASE
                    WHEN (c.old_status IS NULL) THEN 1
                    ELSE 0
                END), (('status '::text || c.new_status),c.order_id,
                CASE
                    WHEN (c.old_status IS DISTINCT FROM c.new_status) THEN 1
                    ELSE 0
                END), (('status '::text || c.old_status),c.order_id,
                CASE
                    WHEN (c.old_status <> c.new_status) THEN '-1'::integer
                    ELSE 0
                END), ('updated'::text,public.updated_key(c.new_updated_at, c.order_id),1), ('updated'::text,public.updated_key(c.old_updated_at, c.order_id),'-1'::integer)) entry(list, key, n))
  WHERE ((entry.list IS NOT NULL) AND (entry.key IS NOT NULL) AND (entry.n <> 0));
CREATE TABLE public.order_matches (
    seq bigint NOT NULL,
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    token_id text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL,
    score numeric NOT NULL,
    explanation jsonb NOT NULL
);
ALTER TABLE public.order_matches ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.order_matches_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.packages (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    record jsonb NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    name_key text NOT NULL COLLATE pg_catalog."C",
    service_ids text[] NOT NULL,
    is_active boolean NOT NULL,
    removed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.receivers (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    origin text NOT NULL COLLATE pg_catalog."C",
    failures integer DEFAULT 0 NOT NULL,
    open_until timestamp with time zone,
    closed_for integer DEFAULT 0 NOT NULL,
    paused_at timestamp with time zone
);
CREATE TABLE public.result_messages (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    sender_kind text NOT NULL COLLATE pg_catalog."C",
    sender_id text NOT NULL COLLATE pg_catalog."C",
    message_id text NOT NULL COLLATE pg_catalog."C",
    token_id text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    why text COLLATE pg_catalog."C",
    event text NOT NULL COLLATE pg_catalog."C",
    order_id text COLLATE pg_catalog."C",
    service_id text COLLATE pg_catalog."C",
    occurred_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    settled_by text COLLATE pg_catalog."C",
    content_hash bytea NOT NULL,
    content bytea NOT NULL,
    CONSTRAINT result_messages_state_check CHECK ((state = ANY (ARRAY['applied'::text, 'queued'::text, 'dismissed'::text])))
);
CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.services (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    record jsonb NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    name_key text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL,
    type text NOT NULL,
    is_dot boolean NOT NULL,
    is_active boolean NOT NULL,
    removed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.tenants (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.tokens (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    scopes text[] NOT NULL,
    company_ids text[] NOT NULL,
    secret_hash bytea,
    rate_limit integer,
    expires_at timestamp with time zone,
    origin text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT tokens_origin_check CHECK ((origin = ANY (ARRAY['catalog'::text, 'issued'::text])))
);
INSERT INTO public.audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after) VALUES ('north', 'aud_01m7h3419hq6c7j7tstv7ekxpm', '2026-11-16 02:31:31.377+00', 'acme-secret-full-scope', 'callback.replace', 'callback', 'cbk_01m7h34107r6j3rr84kbj81r2q', NULL, NULL, NULL);
INSERT INTO public.audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after) VALUES ('north', 'aud_01m7h341tcpjedhber7kzw04kr', '2026-11-16 02:31:31.916+00', 'operator', 'order.read', 'order', 'ord_01m7h341b4s1j4z44n7dteeds8', NULL, NULL, NULL);
INSERT INTO public.audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after) VALUES ('north', 'aud_01m7h341tc3418gj7sghvtcc70', '2026-11-16 02:31:31.916+00', 'operator', 'order.read', 'order', 'ord_01m7h34107va1ay3avmkkbj34s', NULL, NULL, NULL);
INSERT INTO public.audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after) VALUES ('north', 'aud_01m7h341tcf58ndgsp3c35fhar', '2026-11-16 02:31:31.916+00', 'operator', 'order.read', 'order', 'ord_01m7h340w7kzcv03d4vfe7562t', NULL, NULL, NULL);
INSERT INTO public.audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after) VALUES ('north', 'aud_01m7h341thycc610v9jaf6t5dz', '2026-11-16 02:31:31.921+00', 'operator', 'order.read', 'order', 'ord_01m7h34107va1ay3avmkkbj34s', NULL, NULL, NULL);
INSERT INTO public.audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after) VALUES ('north', 'aud_01m7h341tmq3q450v0c2f0vz3r', '2026-11-16 02:31:31.924+00', 'operator', 'order.read', 'order', 'ord_01m7h340w7kzcv03d4vfe7562t', NULL, NULL, NULL);
INSERT INTO public.audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after) VALUES ('north', 'aud_01m7h341v0xzfqa2yhyh9wjxw2', '2026-11-16 02:31:31.936+00', 'operator', 'order.read', 'order', 'ord_01m7h34107va1ay3avmkkbj34s', NULL, NULL, NULL);
INSERT INTO public.audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after) VALUES ('north', 'aud_01m7h34212qt6m7pn3k0s6cws3', '2026-11-16 02:31:32.13+00', 'operator', 'order.clinic', 'order', 'ord_01m7h340w7kzcv03d4vfe7562t', NULL, NULL, NULL);
INSERT INTO public.audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after) VALUES ('north', 'aud_01m7h342jte7yk5f3jsw25v40z', '2026-11-16 02:31:32.698+00', 'operator', 'order.cancel', 'order', 'ord_01m7h342h5ytq581snpj4gtzc9', 'Placed twice.', '{"status": "ordered"}', '{"status": "cancelled"}');
INSERT INTO public.callbacks (tenant_id, id, order_id, version, url, secrets, shows_participant, created_at, ended_at, registered_at) VALUES ('north', 'cbk_01m7h340w7mrjdk8rgfwy23r1f', 'ord_01m7h340w7kzcv03d4vfe7562t', 'v2', 'http://127.0.0.1:41869/hook', '\x01047465737479e4fc1f0d9d4eb77a9bd2bbb3b4aa6004bbc7ad8a8b83590fb3a65e9e77', true, '2026-11-16 02:31:30.951+00', NULL, '2026-11-16 02:31:30.994541+00');
INSERT INTO public.callbacks (tenant_id, id, order_id, version, url, secrets, shows_participant, created_at, ended_at, registered_at) VALUES ('north', 'cbk_01m7h34107r6j3rr84kbj81r2q', 'ord_01m7h34107va1ay3avmkkbj34s', 'v2', 'http://127.0.0.1:41869/hook', '\x010474657374933a6c1c7f8b1a52468391215090b7dc0fc58c51a6396dae100b1622e125', true, '2026-11-16 02:31:31.079+00', NULL, '2026-11-16 02:31:31.388849+00');
INSERT INTO public.catalog_version (single, version) VALUES (true, 2);
INSERT INTO public.clinic_records (tenant_id, id, record) VALUES ('north', 'naperville', '{"id": "naperville", "name": "Naperville Occupational Health", "hours": {"fri": [["00:00", "24:00"]], "mon": [["00:00", "24:00"]], "sat": [["00:00", "24:00"]], "sun": [["00:00", "24:00"]], "thu": [["00:00", "24:00"]], "tue": [["00:00", "24:00"]], "wed": [["00:00", "24:00"]]}, "phone": "+16305550100", "address": {"city": "Naperville", "line1": "10 Main Street", "line2": "Suite 2", "state": "IL", "country": "US", "postalCode": "60540"}, "isActive": true, "services": ["urine", "hair", "audiogram", "dot-urine", "dot-breath", "criminal"], "timezone": "America/Chicago"}');
INSERT INTO public.clinic_records (tenant_id, id, record) VALUES ('north', 'aurora', '{"id": "aurora", "fee": 40, "name": "Aurora Clinic", "hours": {"fri": [["08:00", "17:00"]], "mon": [["08:00", "17:00"]], "thu": [["08:00", "17:00"]], "tue": [["08:00", "17:00"]], "wed": [["08:00", "17:00"]]}, "address": {"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "60505"}, "isActive": true, "services": ["urine", "hair", "audiogram", "dot-urine", "dot-breath", "criminal"], "timezone": "America/Chicago"}');
INSERT INTO public.clinic_records (tenant_id, id, record) VALUES ('north', 'clockless', '{"id": "clockless", "name": "Clinic without a clock", "address": {"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "60563"}, "isActive": true, "services": ["urine", "hair", "audiogram", "dot-urine", "dot-breath", "criminal"]}');
INSERT INTO public.clinic_records (tenant_id, id, record) VALUES ('north', 'dear', '{"id": "dear", "fee": 500, "name": "Dear Clinic", "address": {"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "60540"}, "isActive": true, "services": ["urine", "hair", "audiogram", "dot-urine", "dot-breath", "criminal"]}');
INSERT INTO public.clinic_records (tenant_id, id, record) VALUES ('north', 'closed', '{"id": "closed", "name": "Closed Clinic", "address": {"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "60540"}, "isActive": false, "services": ["urine", "hair", "audiogram", "dot-urine", "dot-breath", "criminal"]}');
INSERT INTO public.clinic_records (tenant_id, id, record) VALUES ('north', 'partial', '{"id": "partial", "name": "Partial Clinic", "address": {"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "60540"}, "isActive": true, "services": ["hair"]}');
INSERT INTO public.clinic_records (tenant_id, id, record) VALUES ('north', 'dallas', '{"id": "dallas", "name": "Dallas Clinic", "address": {"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "75201"}, "isActive": true, "services": ["urine", "hair", "audiogram", "dot-urine", "dot-breath", "criminal"], "timezone": "America/Chicago"}');
INSERT INTO public.clinic_words (tenant_id, word, remnants) VALUES ('north', 'dallas', '{dallas,allas,dllas,dalas,dalas,dalls,dalla}');
INSERT INTO public.clinic_words (tenant_id, word, remnants) VALUES ('north', 'naperville', '{naperville,aperville,nperville,naerville,naprville,napeville,naperille,napervlle,napervile,napervile,napervill}');
INSERT INTO public.clinic_words (tenant_id, word, remnants) VALUES ('north', 'without', '{without,ithout,wthout,wihout,witout,withut,withot,withou}');
INSERT INTO public.clinics (tenant_id, id, name, name_key, phone, address, city_key, state_key, lat, long, "position", words, service_ids, fee, is_active, removed_at, created_at) VALUES ('north', 'naperville', 'Naperville Occupational Health', 'naperville occupational health', '+16305550100', '{"city": "Naperville", "line1": "10 Main Street", "line2": "Suite 2", "state": "IL", "country": "US", "postalCode": "60540"}', 'naperville', 'il', NULL, NULL, '(95.62548118797142, -2951.2431303199955, 2636.818306873701)', '{naperville,occupational,health,il,60540}', '{urine,hair,audiogram,dot-urine,dot-breath,criminal}', NULL, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.clinics (tenant_id, id, name, name_key, phone, address, city_key, state_key, lat, long, "position", words, service_ids, fee, is_active, removed_at, created_at) VALUES ('north', 'aurora', 'Aurora Clinic', 'aurora clinic', NULL, '{"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "60505"}', '', 'il', NULL, NULL, '(87.79609751408408, -2951.446180171017, 2636.8633489797876)', '{aurora,clinic,il,60505}', '{urine,hair,audiogram,dot-urine,dot-breath,criminal}', 40, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.clinics (tenant_id, id, name, name_key, phone, address, city_key, state_key, lat, long, "position", words, service_ids, fee, is_active, removed_at, created_at) VALUES ('north', 'clockless', 'Clinic without a clock', 'clinic without a clock', NULL, '{"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "60563"}', '', 'il', NULL, NULL, '(92.42461138575906, -2950.171666289679, 2638.1311303666203)', '{clinic,without,a,clock,il,60563}', '{urine,hair,audiogram,dot-urine,dot-breath,criminal}', NULL, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.clinics (tenant_id, id, name, name_key, phone, address, city_key, state_key, lat, long, "position", words, service_ids, fee, is_active, removed_at, created_at) VALUES ('north', 'dear', 'Dear Clinic', 'dear clinic', NULL, '{"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "60540"}', '', 'il', NULL, NULL, '(95.62548118797142, -2951.2431303199955, 2636.818306873701)', '{dear,clinic,il,60540}', '{urine,hair,audiogram,dot-urine,dot-breath,criminal}', 500, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.clinics (tenant_id, id, name, name_key, phone, address, city_key, state_key, lat, long, "position", words, service_ids, fee, is_active, removed_at, created_at) VALUES ('north', 'closed', 'Closed Clinic', 'closed clinic', NULL, '{"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "60540"}', '', 'il', NULL, NULL, '(95.62548118797142, -2951.2431303199955, 2636.818306873701)', '{closed,clinic,il,60540}', '{urine,hair,audiogram,dot-urine,dot-breath,criminal}', NULL, false, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.clinics (tenant_id, id, name, name_key, phone, address, city_key, state_key, lat, long, "position", words, service_ids, fee, is_active, removed_at, created_at) VALUES ('north', 'partial', 'Partial Clinic', 'partial clinic', NULL, '{"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "60540"}', '', 'il', NULL, NULL, '(95.62548118797142, -2951.2431303199955, 2636.818306873701)', '{partial,clinic,il,60540}', '{hair}', NULL, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.clinics (tenant_id, id, name, name_key, phone, address, city_key, state_key, lat, long, "position", words, service_ids, fee, is_active, removed_at, created_at) VALUES ('north', 'dallas', 'Dallas Clinic', 'dallas clinic', NULL, '{"city": "", "line1": "1 Main Street", "line2": "", "state": "IL", "country": "US", "postalCode": "75201"}', '', 'il', NULL, NULL, '(-394.0284626262488, -3304.631919742776, 2143.8144686598375)', '{dallas,clinic,il,75201}', '{urine,hair,audiogram,dot-urine,dot-breath,criminal}', NULL, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.companies (tenant_id, id, record, name, name_key, phone, address, package_ids, settings, is_active, removed_at, created_at) VALUES ('north', 'acme', '{"id": "acme", "name": "Acme", "isActive": true, "packages": ["basic", "several", "dot", "dot-alcohol", "background"], "settings": {"clinicFeeCap": 100, "backgroundProvider": "checkers"}}', 'Acme', 'acme', NULL, NULL, '{basic,several,dot,dot-alcohol,background}', '{"clinicFeeCap": 100, "backgroundProvider": "checkers"}', true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.companies (tenant_id, id, record, name, name_key, phone, address, package_ids, settings, is_active, removed_at, created_at) VALUES ('north', 'globex', '{"id": "globex", "name": "Globex", "isActive": true, "packages": ["basic"]}', 'Globex', 'globex', NULL, NULL, '{basic}', '{}', true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.deliveries (tenant_id, id, event_id, callback_id, order_id, version, body, state, attempts, due_at, created_at, origin, claim_id, queued_at, ended_at, claimed_until, reason) VALUES ('north', 'dlv_01m7h341qbvrycwzpeq6zvj5c5', 'evt_01m7h341qbtve62evpdena58ed', 'cbk_01m7h34107r6j3rr84kbj81r2q', 'ord_01m7h34107va1ay3avmkkbj34s', 'v2', '\x0104746573745b6992d9df2f438122dd5f6ba690d135cf12da7657b340f52cc9ed0bd3fdfee240530c8106b7396b930e77d9178747112b9188f707084cbe0258790e3bc3958feb6ab801f8a82c59728ec8486de8d455104d83d125843dea2265621e54eed90923117ea038bf5c8b96d3ed490ac3e798fabfa6b7bb90f7cc649a6b23c788579cc1c0fa4a94daaa5a7579376796336d472d96d664e873896110e726a648eb7d9256eae89173ba8c02f12be6c5d2017bf518f70f3f6dfa3bab26bafa889c9f37109acf2fa12b7c135a49f9476510284306369430a6bc775a8b1247254e090fe4887e40071c39107adb047061d792c9a8ecf8d3a71c5e213617bca7c6d301ca7f2269f18fedc853d5390c5ac8f0bf1f9d1f1061e7a380cde994d0f2ea', 'delivered', 1, '2026-11-16 02:31:31.80793+00', '2026-11-16 02:31:31.819+00', 'http://127.0.0.1:41869', NULL, '2026-11-16 02:31:31.80793+00', '2026-11-16 02:31:32.321545+00', NULL, NULL);
INSERT INTO public.deliveries (tenant_id, id, event_id, callback_id, order_id, version, body, state, attempts, due_at, created_at, origin, claim_id, queued_at, ended_at, claimed_until, reason) VALUES ('north', 'dlv_01m7h341r9fc4xzqy2zr6nzjxd', 'evt_01m7h341r9xypf4r4fw879cz7d', 'cbk_01m7h34107r6j3rr84kbj81r2q', 'ord_01m7h34107va1ay3avmkkbj34s', 'v2', '\x0104746573744c96715296c91e039b51bea959b1cbc1dd3e5f15b4b62ef141c6fb7c96b058359979f5c3bd82140743a91fa365943141fc763ee2bc6172d3786056244904e515bb9e1c3dd5820cae017f01c16c940581667a40fb7a7334967d497a5af96747708d7413259851c3728a411f59ec18ad248b9d630c160694d31aad635a2476bb2bdffda1093db2b00341d2505dd89162f3e26ba71734fd1c181a25d8eb9b77b54f7ece39294cf854e77340910069d70d7dba626d2e667a25712c0dac4e83b62c9f23a27a6d2a541f01d1990d71a66a4e75a37c6ae8cd3a93399cd9259da569fb41e60efc09d636f0aa4159fa6e2738a8a642441415bd9b75f29c5bce1bdc043635cb3ed3af35384ceb6776821f136fc50bbc5229ecb1e0e9d8d6afc3', 'delivered', 1, '2026-11-16 02:31:31.848016+00', '2026-11-16 02:31:31.849+00', 'http://127.0.0.1:41869', NULL, '2026-11-16 02:31:31.848016+00', '2026-11-16 02:31:32.363842+00', NULL, NULL);
INSERT INTO public.deliveries (tenant_id, id, event_id, callback_id, order_id, version, body, state, attempts, due_at, created_at, origin, claim_id, queued_at, ended_at, claimed_until, reason) VALUES ('north', 'dlv_01m7h341rn5xfnwnfr18wjsg2e', 'evt_01m7h341rn0jdtjmb7yhkyyyb5', 'cbk_01m7h34107r6j3rr84kbj81r2q', 'ord_01m7h34107va1ay3avmkkbj34s', 'v2', '\x0104746573743cd1913cb89de0d0175e3af336372b72475cc2d08b22af155da4e2251a3c042b73edc0decfee170073a5a0c9ef260fd41bbfd7ebdfe39c9a59269be2f04a04249a873fff5a8d309f051ac19c169f1a02d5a9f3d79c90b9d9a063be1aeef01ed7c47a1b124805a6566d824209186e2843dde5c97c0ed43a7d834cbcffc6980ef0ffc9505ffd820cd6f8d692c299b704fa925e6bab903051062d1513f2ffe13adfdc5090abff59a121defb4c5e51df29b07c45d61a3833d4cb2e8964ea49edcfad723bc98d8ca00c37edd640e8da11236231891bc144a7c7e686aec78a3f0dbc2d67f7f4df25f374196f68f047f7adcc36b453293fd59c636b40718dce74dd81d5a8514f237df0e84ffe9d312a0b333f0baaff9c7b3384855c3a333b', 'delivered', 1, '2026-11-16 02:31:31.859679+00', '2026-11-16 02:31:31.861+00', 'http://127.0.0.1:41869', NULL, '2026-11-16 02:31:31.859679+00', '2026-11-16 02:31:32.363842+00', NULL, NULL);
INSERT INTO public.deliveries (tenant_id, id, event_id, callback_id, order_id, version, body, state, attempts, due_at, created_at, origin, claim_id, queued_at, ended_at, claimed_until, reason) VALUES ('north', 'dlv_01m7h3420kqpdf9sq52k5n25t3', 'evt_01m7h3420ke5c0mn6rmsnpxfvt', 'cbk_01m7h340w7mrjdk8rgfwy23r1f', 'ord_01m7h340w7kzcv03d4vfe7562t', 'v2', '\x010474657374f613ced149a43e8de1d41bfe7a2e9710dec5f36d6c599cced721ce647019d7f6f70db0a4fc43888dca0aeeded1a4184a02c3634abb26dab2d00a893bbe4cab03c65fcde03c1c3c643a4ff409a7e1516b7529ee8001bddb8e1c5db644cc9e3b30e5cecc9b1b6f756a463f8eba676315ac1412bde32fe6eff19bb633c0a0b52e83f43d62a11c4104ed20cac01d49bae6c332dbf451e5aaf591501aefa8d10b75adda521aba601e65dc8723444fc54bf59e50533e310ddd24e7814e0e4d9eb991ca42f5abb648a3a41c5060d536d751273c1b43cc08c2c2dd7d0803eecbc193f538a2a3f662099ac02322d7b54037da89bc458720607b13f820e05e824934691e9c961d2a17f1201c900b2965c9a26e32e4add1407117cda48b8a1578', 'delivered', 1, '2026-11-16 02:31:32.112366+00', '2026-11-16 02:31:32.115+00', 'http://127.0.0.1:41869', NULL, '2026-11-16 02:31:32.112366+00', '2026-11-16 02:31:32.363842+00', NULL, NULL);
INSERT INTO public.deliveries (tenant_id, id, event_id, callback_id, order_id, version, body, state, attempts, due_at, created_at, origin, claim_id, queued_at, ended_at, claimed_until, reason) VALUES ('north', 'dlv_01m7h3421mhkqs6w25jhv2yqy2', 'evt_01m7h3421mr9f2hhr308xtb667', 'cbk_01m7h340w7mrjdk8rgfwy23r1f', 'ord_01m7h340w7kzcv03d4vfe7562t', 'v2', '\x010474657374f672456eda0ffc64adc0c6d70960409e4658c95be947d982bc5ecae7983d0f6708d0cbe81cce8e77c037154ca5373506bb68b721823883dca9abfcaa09baaf327ffbfc4127ab995e9446847fe7b49d8e0771c682819c3488f37ed7b85316d4d63148fcc91997db34c6e6c8ba2adf49e278b236b48758047045a6003df5cd211b10b109bedfd75cd1a2027bd71b3fafe0829ab5c521f4f84fe88226bbd3f75827be2bd96bf6772fd1e69179a28c91e62602e83ba8f3a9e070461929778eb033244773299d280e38fc26f3d8df02d6422d74805ba0f187e1fbb07dffaa0d01dddb0a9b8e47ec7c32182952022f740a4b678a8723535ef16967e6aee812c00ef19d88096cbc696421a7d455aa38fa86f74a84c77dd30f431d27fe7a6a', 'delivered', 1, '2026-11-16 02:31:32.14205+00', '2026-11-16 02:31:32.148+00', 'http://127.0.0.1:41869', NULL, '2026-11-16 02:31:32.14205+00', '2026-11-16 02:31:32.363842+00', NULL, NULL);
INSERT INTO public.delivery_attempts (seq, tenant_id, delivery_id, at, ms, status, error, detail, excerpt) OVERRIDING SYSTEM VALUE VALUES (1, 'north', 'dlv_01m7h341qbvrycwzpeq6zvj5c5', '2026-11-16 02:31:32.251+00', 51, 200, NULL, NULL, '');
INSERT INTO public.delivery_attempts (seq, tenant_id, delivery_id, at, ms, status, error, detail, excerpt) OVERRIDING SYSTEM VALUE VALUES (2, 'north', 'dlv_01m7h341r9fc4xzqy2zr6nzjxd', '2026-11-16 02:31:32.271+00', 60, 200, NULL, NULL, '');
INSERT INTO public.delivery_attempts (seq, tenant_id, delivery_id, at, ms, status, error, detail, excerpt) OVERRIDING SYSTEM VALUE VALUES (3, 'north', 'dlv_01m7h341rn5xfnwnfr18wjsg2e', '2026-11-16 02:31:32.316+00', 23, 200, NULL, NULL, '');
INSERT INTO public.delivery_attempts (seq, tenant_id, delivery_id, at, ms, status, error, detail, excerpt) OVERRIDING SYSTEM VALUE VALUES (4, 'north', 'dlv_01m7h3420kqpdf9sq52k5n25t3', '2026-11-16 02:31:32.316+00', 23, 200, NULL, NULL, '');
INSERT INTO public.delivery_attempts (seq, tenant_id, delivery_id, at, ms, status, error, detail, excerpt) OVERRIDING SYSTEM VALUE VALUES (5, 'north', 'dlv_01m7h3421mhkqs6w25jhv2yqy2', '2026-11-16 02:31:32.331+00', 8, 200, NULL, NULL, '');
INSERT INTO public.documents (tenant_id, id, result_id, name, content_type, size, created_at, content) VALUES ('north', 'doc_1', 'rsl_01m7h341qcnq6wgmwbwq34nmje', 'Lopez report.pdf', 'application/pdf', 9, '2026-11-16 02:31:31.82+00', '\x0104746573743af66e602dd2dee8222ee74d0db82f80869447f524238251423f1461d3451fe909183afc6f');
INSERT INTO public.events (tenant_id, id, order_id, created_at) VALUES ('north', 'evt_01m7h341qbtve62evpdena58ed', 'ord_01m7h34107va1ay3avmkkbj34s', '2026-11-16 02:31:31.819+00');
INSERT INTO public.events (tenant_id, id, order_id, created_at) VALUES ('north', 'evt_01m7h341r9xypf4r4fw879cz7d', 'ord_01m7h34107va1ay3avmkkbj34s', '2026-11-16 02:31:31.849+00');
INSERT INTO public.events (tenant_id, id, order_id, created_at) VALUES ('north', 'evt_01m7h341rn0jdtjmb7yhkyyyb5', 'ord_01m7h34107va1ay3avmkkbj34s', '2026-11-16 02:31:31.861+00');
INSERT INTO public.events (tenant_id, id, order_id, created_at) VALUES ('north', 'evt_01m7h3420ke5c0mn6rmsnpxfvt', 'ord_01m7h340w7kzcv03d4vfe7562t', '2026-11-16 02:31:32.115+00');
INSERT INTO public.events (tenant_id, id, order_id, created_at) VALUES ('north', 'evt_01m7h3421mr9f2hhr308xtb667', 'ord_01m7h340w7kzcv03d4vfe7562t', '2026-11-16 02:31:32.148+00');
INSERT INTO public.events (tenant_id, id, order_id, created_at) VALUES ('north', 'evt_01m7h342j07hx0jwzb9bhkzytm', 'ord_01m7h342h5ytq581snpj4gtzc9', '2026-11-16 02:31:32.672+00');
INSERT INTO public.idempotency_keys (tenant_id, token_id, key, status, answer, created_at) VALUES ('north', 'acme-secret-full-scope', '2250b05aa8928fb3', 201, '\x010474657374785ed7edba7c509509a17c73f88e5641c34ce40aee6db382de21cd192fc65d36c65c9b42e0afe89f14bffefc1d62aca3109b717f6e423b708690daea3a069266fe6d2bc15fdfcc8948f65b1a7c6ea99ba0dce42c3bf99448760f2f31d5f782b53e3e0d1fbdd4bafac4bbd4a796e85c112c9f7fa36d53ee010e7a7e21d96abdf1c8721023e7a0b330da53a62fab8c9c6b20195725cca6d8339c9d5cbc4deb296e36980a39f68f2ff81858b47dc1d247528308baca174fa950a47d49a5bc1b8ee7b2ed2f9d66f313f91ad6b74f2e59bf7c37cc3de2d5a563b2617856c5d6a9eb2e81e933a93b18feba87c69a542ca66df2dda0b1cf60ff3ebff307fd0bad6c6caeb9d4118ad82d9ad87f266d0389f0a026b673399a65c452716e4b75e69085ddb278bdc36a759a9594524ca48507a3d13fad73343e4af8de0360c80a55dba8c06ef12623f190805aca66c1e7baae42883afabd1dabb50096e06e1489913437296b0eb6fa409cadd5d23590c5b6297fe23f907fdd7266a6ffb1284b9d56934d855bc85818a863cc56b58ab039eb114d1f7e6d86c5d28cc5426e8608139e4b075e1116ea927b02eef29fa03fc26ad1a30c4bad61c37e692b8d43988f2c028489b9a60eefae28459b5c6910c01a90d3e198932f36b28f4df974975cf58e467c523a633ace9b80c8840d3900865101e52132b500c4b8f36600875f80ff87c2e5ebdb73f7e02d1b1207d9228a8ab4cfeb81d71de11c18a72576fe9a69daf6167b5a65d31f2ecbae47a354b99e24d17e14368664d4be81137a0829f89d06cb7783fa3dc84bdcb2d08b1ff1e4c9271612666ce4fedc0eeb5f9292a7cc9e7c4dafd3f7d6a725a07b353688cea2e757389ff118f6f769a3077df13a1a9100b873c6ccf63e3536eacb0021fa9246a777952f1e7b6def5e3a4357f945bc878a1cfc1c7f09530efd7197dc2c3b1476753d00f12901920aee8c6103f5a9d4c407d28b7dd8b79052aa7184225e857508edcddcfc7d2edc93e31547fec2a433942dcaa107077f15c7a09a3edbb28f43813bcef1df6b29d3a76d703b598ab850f546cad965a7d6d7f1fd8c1c77c0999a1e792ac1fb64221bff4e974640897ff4d9c1e4383b4c35b10306e653fdc30e991d473cebc72bbc066dd6b99cfff712ef9df2cda80186206a890355d13fae1df327ada705a259a8b221260ca02770eade2a7377115fc9f5a186cdc5e5e254505838160bd65ced165120c3b4f69bd1330b29862d8f24ae79f54f1a9c6ee0daff6919966dd202ae8c90faf0af7d88ea835e556583c84e3ea0419e419dae2aba75e167e57b2e2e1353102eb9b9c11e74ca056f3a7edf497e05185375e425008dc87ea43cc49328ae3a49d403d9a803a82d40d78954215723821120982ac30482e4095dd53c0ade8193c791a6c312b6ca2836729cc78477400bef561a5a18f6764a4b4ad35d25cf3020769b4485a57ad07a632bc29b43b1c6ad736e4cd6f9ee2496d6d34d04212f0127b5bb7f18a7ee22dfa8082c3aaf660e497fd4d38a7402d338dd3dd809d3925ba7d4cafb8b0c7f762ba35f358f2c4d5cdb07a4745291e519b6b1e66f9c4407e54f749e54f663f45dd4bca3611341b81d361b5d6c4413fbae737171ebbbe646df5f56e9aaaaa80d5e24ae6cf3f8f50cd05694ec8fa4daf7501db7b6ba795b93f1337a47998159a3dfad24e7c5be6b77d2cb48b97f75c07dad4e7e096b8a6bfc6645ecc7ed98f184a36da78e3d45f5bf3c3613e74cd176ecc8cfecc1490b4386746abe762ec6169f5dbd5e0cb07c690c76269ec735ead480acd26cb0896e853c05d2ebadee1be5327a43ce79bfd9ffd4f50769819ad16f0fa1378f719b980da4de4a5b6cf05dbd16137cb2d8d5b2a161e5810cc9ac4c4a64f742ccc52524ecbeac109395cd339f7827320cfb8d1fdc9269997cc4a3993eb4ace7e3ae7b116188c7cb91b42b968a3acd2acc62147e6c0c6e9735eb9b4a8d060b345569a53767ddfdd8f1c889b021be890b2929adb4920cbb439149c781a45e1e09e775cbc1c58b6a7d28dc0493ec', '2026-11-16 02:31:31.428+00');
INSERT INTO public.locations (tenant_id, id, company_id, record, name, name_key, phone, address, package_ids, settings, is_active, removed_at, created_at) VALUES ('north', 'hq', 'acme', '{"id": "hq", "name": "Headquarters", "isActive": true, "settings": {}, "companyId": "acme"}', 'Headquarters', 'headquarters', NULL, NULL, '{}', '{}', true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.locations (tenant_id, id, company_id, record, name, name_key, phone, address, package_ids, settings, is_active, removed_at, created_at) VALUES ('north', 'globex-hq', 'globex', '{"id": "globex-hq", "name": "Globex HQ", "isActive": true, "companyId": "globex"}', 'Globex HQ', 'globex hq', NULL, NULL, '{}', '{}', true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.mailbox (id, message_id, at, content) VALUES ('mbx_1', 'msg_01m7h340w7a7j6kdb7qvs7vqwd', '2026-11-16 02:31:30.951+00', '\x01047465737492c3fb2e563033de5b7a986d97aa21ef548cc977a06cccedca7d615eb8702df6da27b2029c68d7271c2ddc6b3717d907c4ab9acb7f059523bcaa07016d9361771136d9a64b6baf1df133857af9a08185853abcc6194fbe48');
INSERT INTO public.message_attempts (tenant_id, message_id, number, at, duration_ms, outcome, detail) VALUES ('north', 'msg_01m7h341b4hmkp6wvcd0we3286', 1, '2026-11-16 02:31:32.415+00', 0, 'noServer', NULL);
INSERT INTO public.message_attempts (tenant_id, message_id, number, at, duration_ms, outcome, detail) VALUES ('north', 'msg_01m7h3421mwd6s5m7fxvgkk0zd', 1, '2026-11-16 02:31:32.415+00', 0, 'noServer', NULL);
INSERT INTO public.messages (tenant_id, id, order_id, kind, channel, refers_to, state, due_at, attempts, tries, claim_id, lease_until, created_at, ended_at, left_at) VALUES ('north', 'msg_01m7h340w7a7j6kdb7qvs7vqwd', 'ord_01m7h340w7kzcv03d4vfe7562t', 'link', 'email', NULL, 'dropped', '2026-11-16 02:31:30.951+00', 1, 1, NULL, NULL, '2026-11-16 02:31:30.951+00', '2026-11-16 02:31:32.471822+00', NULL);
INSERT INTO public.messages (tenant_id, id, order_id, kind, channel, refers_to, state, due_at, attempts, tries, claim_id, lease_until, created_at, ended_at, left_at) VALUES ('north', 'msg_01m7h341078ny6agyrf811dszd', 'ord_01m7h34107va1ay3avmkkbj34s', 'booking', 'email', NULL, 'dropped', '2026-11-16 02:31:31.079+00', 1, 1, NULL, NULL, '2026-11-16 02:31:31.079+00', '2026-11-16 02:31:32.488615+00', NULL);
INSERT INTO public.messages (tenant_id, id, order_id, kind, channel, refers_to, state, due_at, attempts, tries, claim_id, lease_until, created_at, ended_at, left_at) VALUES ('north', 'msg_01m7h341b4hmkp6wvcd0we3286', 'ord_01m7h341b4s1j4z44n7dteeds8', 'link', 'email', NULL, 'failed', '2026-11-16 02:31:31.428+00', 1, 1, NULL, NULL, '2026-11-16 02:31:31.428+00', '2026-11-16 02:31:32.489516+00', NULL);
INSERT INTO public.messages (tenant_id, id, order_id, kind, channel, refers_to, state, due_at, attempts, tries, claim_id, lease_until, created_at, ended_at, left_at) VALUES ('north', 'msg_01m7h3420k62jmf4y9ayamyxae', 'ord_01m7h340w7kzcv03d4vfe7562t', 'booking', 'email', NULL, 'dropped', '2026-11-16 02:31:32.115+00', 1, 1, NULL, NULL, '2026-11-16 02:31:32.115+00', '2026-11-16 02:31:32.49207+00', NULL);
INSERT INTO public.messages (tenant_id, id, order_id, kind, channel, refers_to, state, due_at, attempts, tries, claim_id, lease_until, created_at, ended_at, left_at) VALUES ('north', 'msg_01m7h3421mwd6s5m7fxvgkk0zd', 'ord_01m7h340w7kzcv03d4vfe7562t', 'cancellation', 'email', NULL, 'failed', '2026-11-16 02:31:32.148+00', 1, 1, NULL, NULL, '2026-11-16 02:31:32.148+00', '2026-11-16 02:31:32.520023+00', NULL);
INSERT INTO public.messages (tenant_id, id, order_id, kind, channel, refers_to, state, due_at, attempts, tries, claim_id, lease_until, created_at, ended_at, left_at) VALUES ('north', 'msg_01m7h342h5mdsprhn200fsvdq0', 'ord_01m7h342h5ytq581snpj4gtzc9', 'link', 'email', NULL, 'waiting', '2026-11-16 02:31:32.645+00', 0, 0, NULL, NULL, '2026-11-16 02:31:32.645+00', NULL, NULL);
INSERT INTO public.messages (tenant_id, id, order_id, kind, channel, refers_to, state, due_at, attempts, tries, claim_id, lease_until, created_at, ended_at, left_at) VALUES ('north', 'msg_01m7h342j0n0gxj71jwz37t0k3', 'ord_01m7h342h5ytq581snpj4gtzc9', 'cancellation', 'email', NULL, 'waiting', '2026-11-16 02:31:32.672+00', 0, 0, NULL, NULL, '2026-11-16 02:31:32.672+00', NULL, NULL);
INSERT INTO public.order_changes (seq, tenant_id, company_id, location_id, order_id, old_status, new_status, old_updated_at, new_updated_at) OVERRIDING SYSTEM VALUE VALUES (9, 'north', 'acme', 'hq', 'ord_01m7h342h5ytq581snpj4gtzc9', NULL, 'ordered', NULL, '2026-11-16 02:31:32.645+00');
INSERT INTO public.order_changes (seq, tenant_id, company_id, location_id, order_id, old_status, new_status, old_updated_at, new_updated_at) OVERRIDING SYSTEM VALUE VALUES (10, 'north', 'acme', 'hq', 'ord_01m7h342h5ytq581snpj4gtzc9', 'ordered', 'cancelled', '2026-11-16 02:31:32.645+00', '2026-11-16 02:31:32.672+00');
INSERT INTO public.order_chunks (tenant_id, company_id, list, start_key, n) VALUES ('north', 'acme', 'all', '', 3);
INSERT INTO public.order_chunks (tenant_id, company_id, list, start_key, n) VALUES ('north', 'acme', 'location hq', '', 3);
INSERT INTO public.order_chunks (tenant_id, company_id, list, start_key, n) VALUES ('north', 'acme', 'status cancelled', '', 1);
INSERT INTO public.order_chunks (tenant_id, company_id, list, start_key, n) VALUES ('north', 'acme', 'status negative', '', 1);
INSERT INTO public.order_chunks (tenant_id, company_id, list, start_key, n) VALUES ('north', 'acme', 'status ordered', '', 1);
INSERT INTO public.order_chunks (tenant_id, company_id, list, start_key, n) VALUES ('north', 'acme', 'status pending', '', 0);
INSERT INTO public.order_chunks (tenant_id, company_id, list, start_key, n) VALUES ('north', 'acme', 'status scheduled', '', 0);
INSERT INTO public.order_chunks (tenant_id, company_id, list, start_key, n) VALUES ('north', 'acme', 'updated', '', 3);
INSERT INTO public.order_links (secret_hash, tenant_id, order_id, created_at, expires_at, recipient) VALUES ('\xea37e00a04776ad5a8183e6a87cf7225b62970f04139cb306aaf65b026b45c93', 'north', 'ord_01m7h340w7kzcv03d4vfe7562t', '2026-11-16 02:31:31.872+00', '2026-11-17 02:31:31.871+00', 'participant');
INSERT INTO public.order_matches (seq, tenant_id, order_id, token_id, at, score, explanation) OVERRIDING SYSTEM VALUE VALUES (1, 'north', 'ord_01m7h34107va1ay3avmkkbj34s', 'acme-secret-full-scope', '2026-11-16 02:31:31.202+00', 100, '{"caps": [], "parts": [{"kind": "equal", "field": "last", "weight": 20, "similarity": 1}, {"kind": "equal", "field": "first", "weight": 15, "similarity": 1}, {"kind": "equal", "field": "birthDate", "weight": 25, "similarity": 1}, {"kind": "equal", "field": "identifiers", "weight": 20, "similarity": 1}, {"kind": "equal", "field": "email", "weight": 8, "similarity": 1}, {"kind": "equal", "field": "phone", "weight": 7, "similarity": 1}], "profile": "standard", "minScore": 85}');
INSERT INTO public.order_matches (seq, tenant_id, order_id, token_id, at, score, explanation) OVERRIDING SYSTEM VALUE VALUES (2, 'north', 'ord_01m7h34107va1ay3avmkkbj34s', 'acme-secret-full-scope', '2026-11-16 02:31:31.377+00', 100, '{"caps": [], "parts": [{"kind": "equal", "field": "last", "weight": 20, "similarity": 1}, {"kind": "equal", "field": "first", "weight": 15, "similarity": 1}, {"kind": "equal", "field": "birthDate", "weight": 25, "similarity": 1}, {"kind": "equal", "field": "identifiers", "weight": 20, "similarity": 1}, {"kind": "equal", "field": "email", "weight": 8, "similarity": 1}, {"kind": "equal", "field": "phone", "weight": 7, "similarity": 1}], "profile": "standard", "minScore": 85}');
INSERT INTO public.orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, expires_at, specimen_ids, head, participant, identifiers, content, match_keys, due_at, awaited_at) VALUES ('north', 'ord_01m7h341b4s1j4z44n7dteeds8', 'ZUP7-4M5G', 'acme', 'hq', 'ordered', '2026-11-16 02:31:31.428+00', '2026-11-16 02:31:31.428+00', NULL, '{}', '{"agency":null,"clinic":null,"code":"ZUP7-4M5G","company":{"id":"acme","name":"Acme","object":"company","url":"/api/v2/companies/acme"},"createdAt":"2026-11-16T02:31:31.428Z","expiresAt":null,"id":"ord_01m7h341b4s1j4z44n7dteeds8","isFinal":false,"jobCategory":null,"location":{"id":"hq","name":"Headquarters","object":"location","url":"/api/v2/locations/hq"},"object":"order","otherTestReason":null,"packages":[{"id":"basic","name":"Basic","object":"package","url":"/api/v2/packages/basic"}],"services":[{"attributes":{"category":"drug","type":"urine"},"courierServiceName":null,"id":"osv_01m7h341b4s1j4z44n7dteeds8_1","isDot":false,"isFinal":false,"lab":{"id":"heartland","name":"Heartland Toxicology","object":"vendor","type":"lab"},"name":"Urine","object":"orderService","screenHistory":[],"specimenId":null,"status":"linkSent","statusHistory":[{"groupType":"ordered","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:31.428Z","status":"linkSent"}],"statusUpdatedAt":"2026-11-16T02:31:31.428Z","trackingNumber":null}],"status":"ordered","statusUpdatedAt":"2026-11-16T02:31:31.428Z","testReason":"random","updatedAt":"2026-11-16T02:31:31.428Z","url":"/api/v2/orders/ord_01m7h341b4s1j4z44n7dteeds8"}', '{"address":null,"birthDate":null,"email":null,"firstName":"Maria","lastName":"Lopez","middleName":null,"phone":null}', NULL, '{"id": "ord_01m7h341b4s1j4z44n7dteeds8", "code": "ZUP7-4M5G", "ended": null, "clinic": null, "source": "api", "status": "ordered", "company": {"id": "acme", "name": "Acme"}, "history": [{"at": "2026-11-16T02:31:31.428Z", "status": "ordered"}], "agencyId": null, "delivery": {"cc": [], "to": "maria@example.com", "type": "email"}, "isBooked": false, "location": {"id": "hq", "name": "Headquarters"}, "observed": false, "packages": [{"id": "basic", "name": "Basic"}], "services": [{"id": "osv_01m7h341b4s1j4z44n7dteeds8_1", "lab": {"id": "heartland", "name": "Heartland Toxicology"}, "name": "Urine", "type": "urine", "isDot": false, "status": "linkSent", "history": [{"at": "2026-11-16T02:31:31.428Z", "status": "linkSent"}], "screens": [], "category": "drug", "serviceId": "urine", "specimenId": null, "requiresMro": false, "trackingNumber": null, "statusUpdatedAt": "2026-11-16T02:31:31.428Z", "courierServiceName": null}], "createdAt": "2026-11-16T02:31:31.428Z", "expiresAt": null, "requester": {"email": "dana@acme.example", "phone": null, "lastName": "Reed", "firstName": "Dana", "middleName": null}, "updatedAt": "2026-11-16T02:31:31.428Z", "scheduling": {"mode": null, "option": "link"}, "testReason": "random", "billingCode": null, "participant": {"email": null, "phone": null, "address": null, "lastName": "Lopez", "birthDate": null, "firstName": "Maria", "middleName": null, "identifiers": []}, "cancelReason": null, "appointmentAt": null, "jobCategoryId": null, "otherTestReason": null, "statusUpdatedAt": "2026-11-16T02:31:31.428Z"}', '{7367509228767953808}', NULL, NULL);
INSERT INTO public.orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, expires_at, specimen_ids, head, participant, identifiers, content, match_keys, due_at, awaited_at) VALUES ('north', 'ord_01m7h342h5ytq581snpj4gtzc9', '2RM8-M53E', 'acme', 'hq', 'cancelled', '2026-11-16 02:31:32.645+00', '2026-11-16 02:31:32.672+00', NULL, '{}', '{"agency":null,"clinic":null,"code":"2RM8-M53E","company":{"id":"acme","name":"Acme","object":"company","url":"/api/v2/companies/acme"},"createdAt":"2026-11-16T02:31:32.645Z","expiresAt":null,"id":"ord_01m7h342h5ytq581snpj4gtzc9","isFinal":false,"jobCategory":null,"location":{"id":"hq","name":"Headquarters","object":"location","url":"/api/v2/locations/hq"},"object":"order","otherTestReason":null,"packages":[{"id":"basic","name":"Basic","object":"package","url":"/api/v2/packages/basic"}],"services":[{"attributes":{"category":"drug","type":"urine"},"courierServiceName":null,"id":"osv_01m7h342h5ytq581snpj4gtzc9_1","isDot":false,"isFinal":false,"lab":{"id":"heartland","name":"Heartland Toxicology","object":"vendor","type":"lab"},"name":"Urine","object":"orderService","screenHistory":[],"specimenId":null,"status":"cancelled","statusHistory":[{"groupType":"ordered","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:32.645Z","status":"linkSent"},{"groupType":"closed","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:32.672Z","status":"cancelled"}],"statusUpdatedAt":"2026-11-16T02:31:32.672Z","trackingNumber":null}],"status":"cancelled","statusUpdatedAt":"2026-11-16T02:31:32.672Z","testReason":"random","updatedAt":"2026-11-16T02:31:32.672Z","url":"/api/v2/orders/ord_01m7h342h5ytq581snpj4gtzc9"}', '{"address":{"city":"Naperville","country":"US","line1":"1200 Ogden Avenue","line2":"","object":"address","postalCode":"60540","state":"IL"},"birthDate":"1970-01-01","email":"maria@example.com","firstName":"Maria","lastName":"Lopez","middleName":null,"phone":"+16305550142"}', '\x010474657374599928ed75937fc48e1475c89a9613614ff0e32161e9262f0ee73d3d63c4244449e840e22137d3f63f24c738f908640bf81910715eaf483eea4739f5a3abbba370db7bf11e86ac48ca19e3f895b3cb97ec493cc0ea169d4441cd7b88a71180128f639c4d0ee5237810f7706b', '{"id": "ord_01m7h342h5ytq581snpj4gtzc9", "code": "2RM8-M53E", "ended": "cancelled", "clinic": null, "source": "api", "status": "cancelled", "company": {"id": "acme", "name": "Acme"}, "history": [{"at": "2026-11-16T02:31:32.645Z", "status": "ordered"}, {"at": "2026-11-16T02:31:32.672Z", "status": "cancelled"}], "agencyId": null, "delivery": {"cc": [], "to": "maria@example.com", "type": "email"}, "isBooked": false, "location": {"id": "hq", "name": "Headquarters"}, "observed": false, "packages": [{"id": "basic", "name": "Basic"}], "services": [{"id": "osv_01m7h342h5ytq581snpj4gtzc9_1", "lab": {"id": "heartland", "name": "Heartland Toxicology"}, "name": "Urine", "type": "urine", "isDot": false, "status": "cancelled", "history": [{"at": "2026-11-16T02:31:32.645Z", "status": "linkSent"}, {"at": "2026-11-16T02:31:32.672Z", "status": "cancelled"}], "screens": [], "category": "drug", "serviceId": "urine", "specimenId": null, "requiresMro": false, "trackingNumber": null, "statusUpdatedAt": "2026-11-16T02:31:32.672Z", "courierServiceName": null}], "createdAt": "2026-11-16T02:31:32.645Z", "expiresAt": null, "requester": {"email": "dana@acme.example", "phone": null, "lastName": "Reed", "firstName": "Dana", "middleName": null}, "updatedAt": "2026-11-16T02:31:32.672Z", "scheduling": {"mode": null, "option": "link"}, "testReason": "random", "billingCode": null, "participant": {"email": "maria@example.com", "phone": "+16305550142", "address": {"city": "Naperville", "line1": "1200 Ogden Avenue", "line2": "", "state": "IL", "object": "address", "country": "US", "postalCode": "60540"}, "lastName": "Lopez", "birthDate": "1970-01-01", "firstName": "Maria", "middleName": null, "identifiers": []}, "cancelReason": "Placed twice.", "appointmentAt": null, "jobCategoryId": null, "otherTestReason": null, "statusUpdatedAt": "2026-11-16T02:31:32.672Z"}', '{}', NULL, NULL);
INSERT INTO public.orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, expires_at, specimen_ids, head, participant, identifiers, content, match_keys, due_at, awaited_at) VALUES ('north', 'ord_01m7h340w7kzcv03d4vfe7562t', '49WS-GYSK', 'acme', 'hq', 'cancelled', '2026-11-16 02:31:30.951+00', '2026-11-16 02:31:32.148+00', NULL, '{}', '{"agency":null,"clinic":{"address":{"city":"Naperville","country":"US","line1":"10 Main Street","line2":"Suite 2","object":"address","postalCode":"60540","state":"IL"},"id":"naperville","name":"Naperville Occupational Health","object":"clinic","phone":"+16305550100","url":"/api/v2/clinics/naperville"},"code":"49WS-GYSK","company":{"id":"acme","name":"Acme","object":"company","url":"/api/v2/companies/acme"},"createdAt":"2026-11-16T02:31:30.951Z","expiresAt":null,"id":"ord_01m7h340w7kzcv03d4vfe7562t","isFinal":false,"jobCategory":null,"location":{"id":"hq","name":"Headquarters","object":"location","url":"/api/v2/locations/hq"},"object":"order","otherTestReason":null,"packages":[{"id":"basic","name":"Basic","object":"package","url":"/api/v2/packages/basic"}],"services":[{"attributes":{"category":"drug","type":"urine"},"courierServiceName":null,"id":"osv_01m7h340w7kzcv03d4vfe7562t_1","isDot":false,"isFinal":false,"lab":{"id":"heartland","name":"Heartland Toxicology","object":"vendor","type":"lab"},"name":"Urine","object":"orderService","screenHistory":[],"specimenId":null,"status":"cancelled","statusHistory":[{"groupType":"ordered","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:30.951Z","status":"linkSent"},{"groupType":"scheduling","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:32.115Z","status":"scheduled"},{"groupType":"closed","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:32.148Z","status":"cancelled"}],"statusUpdatedAt":"2026-11-16T02:31:32.148Z","trackingNumber":null}],"status":"cancelled","statusUpdatedAt":"2026-11-16T02:31:32.148Z","testReason":"random","updatedAt":"2026-11-16T02:31:32.148Z","url":"/api/v2/orders/ord_01m7h340w7kzcv03d4vfe7562t"}', '{"address":null,"birthDate":null,"email":null,"firstName":"Maria","lastName":"Lopez","middleName":null,"phone":null}', NULL, '{"id": "ord_01m7h340w7kzcv03d4vfe7562t", "code": "49WS-GYSK", "ended": "cancelled", "clinic": {"id": "naperville", "name": "Naperville Occupational Health", "phone": "+16305550100", "address": {"city": "Naperville", "line1": "10 Main Street", "line2": "Suite 2", "state": "IL", "country": "US", "postalCode": "60540"}}, "source": "api", "status": "cancelled", "company": {"id": "acme", "name": "Acme"}, "history": [{"at": "2026-11-16T02:31:30.951Z", "status": "ordered"}, {"at": "2026-11-16T02:31:32.115Z", "status": "scheduled"}, {"at": "2026-11-16T02:31:32.148Z", "status": "cancelled"}], "agencyId": null, "delivery": {"cc": [], "to": "maria@example.com", "type": "email"}, "isBooked": false, "location": {"id": "hq", "name": "Headquarters"}, "observed": false, "packages": [{"id": "basic", "name": "Basic"}], "services": [{"id": "osv_01m7h340w7kzcv03d4vfe7562t_1", "lab": {"id": "heartland", "name": "Heartland Toxicology"}, "name": "Urine", "type": "urine", "isDot": false, "status": "cancelled", "history": [{"at": "2026-11-16T02:31:30.951Z", "status": "linkSent"}, {"at": "2026-11-16T02:31:32.115Z", "status": "scheduled"}, {"at": "2026-11-16T02:31:32.148Z", "status": "cancelled"}], "screens": [], "category": "drug", "serviceId": "urine", "specimenId": null, "requiresMro": false, "trackingNumber": null, "statusUpdatedAt": "2026-11-16T02:31:32.148Z", "courierServiceName": null}], "createdAt": "2026-11-16T02:31:30.951Z", "expiresAt": null, "requester": {"email": "dana@acme.example", "phone": null, "lastName": "Reed", "firstName": "Dana", "middleName": null}, "updatedAt": "2026-11-16T02:31:32.148Z", "scheduling": {"mode": null, "option": "link"}, "testReason": "random", "billingCode": null, "participant": {"email": null, "phone": null, "address": null, "lastName": "Lopez", "birthDate": null, "firstName": "Maria", "middleName": null, "identifiers": []}, "cancelReason": null, "appointmentAt": null, "jobCategoryId": null, "otherTestReason": null, "statusUpdatedAt": "2026-11-16T02:31:32.148Z"}', '{}', NULL, NULL);
INSERT INTO public.orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, expires_at, specimen_ids, head, participant, identifiers, content, match_keys, due_at, awaited_at) VALUES ('north', 'ord_01m7h34107va1ay3avmkkbj34s', 'CARN-YZ3B', 'acme', 'hq', 'negative', '2026-11-16 02:31:31.079+00', '2026-11-16 02:31:31.861+00', NULL, '{S-f6425bcb}', '{"agency":null,"clinic":{"address":{"city":"Naperville","country":"US","line1":"10 Main Street","line2":"Suite 2","object":"address","postalCode":"60540","state":"IL"},"id":"naperville","name":"Naperville Occupational Health","object":"clinic","phone":"+16305550100","url":"/api/v2/clinics/naperville"},"code":"CARN-YZ3B","company":{"id":"acme","name":"Acme","object":"company","url":"/api/v2/companies/acme"},"createdAt":"2026-11-16T02:31:31.079Z","expiresAt":null,"id":"ord_01m7h34107va1ay3avmkkbj34s","isFinal":true,"jobCategory":null,"location":{"id":"hq","name":"Headquarters","object":"location","url":"/api/v2/locations/hq"},"object":"order","otherTestReason":null,"packages":[{"id":"basic","name":"Basic","object":"package","url":"/api/v2/packages/basic"}],"services":[{"attributes":{"category":"drug","type":"urine"},"courierServiceName":null,"id":"osv_01m7h34107va1ay3avmkkbj34s_1","isDot":false,"isFinal":true,"lab":{"id":"heartland","name":"Heartland Toxicology","object":"vendor","type":"lab"},"name":"Urine","object":"orderService","screenHistory":[],"specimenId":"S-f6425bcb","status":"negative","statusHistory":[{"groupType":"scheduling","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:31.079Z","status":"scheduled"},{"groupType":"collection","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:31.792Z","status":"checkedIn"},{"groupType":"collection","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:31.792Z","status":"collected"},{"groupType":"lab","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:31.835Z","status":"receivedAtLab"},{"groupType":"lab","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:31.857Z","status":"testing"},{"groupType":"final","object":"orderServiceStatusHistory","occurredAt":"2026-11-16T02:31:31.857Z","status":"negative"}],"statusUpdatedAt":"2026-11-16T02:31:31.857Z","trackingNumber":null}],"status":"negative","statusUpdatedAt":"2026-11-16T02:31:31.861Z","testReason":"random","updatedAt":"2026-11-16T02:31:31.861Z","url":"/api/v2/orders/ord_01m7h34107va1ay3avmkkbj34s"}', '{"address":{"city":"Naperville","country":"US","line1":"1200 Ogden Avenue","line2":"","object":"address","postalCode":"60540","state":"IL"},"birthDate":"1990-03-07","email":"maria@example.com","firstName":"Maria","lastName":"Lopez 0e64f09a","middleName":null,"phone":"+16305550142"}', '\x010474657374452119f0f0f2eec2bdc022e12d0e8e2c0c74bc8a5ecb3c115a57ab6973f0395fe11b82974e608ddd2e1f20d2b7623a73cc52256ea9fbb0dd561bde3ebc19c574407399fc16f6b2f7408f7dbd6c4434f6ce1a3ea0d48773637848f768c0d0b0366eec7eac8ffa2b3c5a8b0fcf', '{"id": "ord_01m7h34107va1ay3avmkkbj34s", "code": "CARN-YZ3B", "ended": null, "clinic": {"id": "naperville", "name": "Naperville Occupational Health", "phone": "+16305550100", "address": {"city": "Naperville", "line1": "10 Main Street", "line2": "Suite 2", "state": "IL", "country": "US", "postalCode": "60540"}}, "source": "api", "status": "negative", "company": {"id": "acme", "name": "Acme"}, "history": [{"at": "2026-11-16T02:31:31.079Z", "status": "scheduled"}, {"at": "2026-11-16T02:31:31.819Z", "status": "pending"}, {"at": "2026-11-16T02:31:31.861Z", "status": "negative"}], "agencyId": null, "delivery": {"cc": [], "to": "maria@example.com", "type": "email"}, "isBooked": true, "location": {"id": "hq", "name": "Headquarters"}, "observed": false, "packages": [{"id": "basic", "name": "Basic"}], "services": [{"id": "osv_01m7h34107va1ay3avmkkbj34s_1", "lab": {"id": "heartland", "name": "Heartland Toxicology"}, "name": "Urine", "type": "urine", "isDot": false, "status": "negative", "history": [{"at": "2026-11-16T02:31:31.079Z", "status": "scheduled"}, {"at": "2026-11-16T02:31:31.792Z", "status": "checkedIn"}, {"at": "2026-11-16T02:31:31.792Z", "status": "collected"}, {"at": "2026-11-16T02:31:31.835Z", "status": "receivedAtLab"}, {"at": "2026-11-16T02:31:31.857Z", "status": "testing"}, {"at": "2026-11-16T02:31:31.857Z", "status": "negative"}], "screens": [], "category": "drug", "serviceId": "urine", "specimenId": "S-f6425bcb", "requiresMro": false, "trackingNumber": null, "statusUpdatedAt": "2026-11-16T02:31:31.857Z", "courierServiceName": null}], "createdAt": "2026-11-16T02:31:31.079Z", "expiresAt": null, "requester": {"email": "dana@acme.example", "phone": null, "lastName": "Reed", "firstName": "Dana", "middleName": null}, "updatedAt": "2026-11-16T02:31:31.861Z", "scheduling": {"mode": "closestToParticipant", "option": "schedule"}, "testReason": "random", "billingCode": null, "participant": {"email": "maria@example.com", "phone": "+16305550142", "address": {"city": "Naperville", "line1": "1200 Ogden Avenue", "line2": "", "state": "IL", "object": "address", "country": "US", "postalCode": "60540"}, "lastName": "Lopez 0e64f09a", "birthDate": "1990-03-07", "firstName": "Maria", "middleName": null, "identifiers": []}, "cancelReason": null, "appointmentAt": null, "jobCategoryId": null, "otherTestReason": null, "statusUpdatedAt": "2026-11-16T02:31:31.861Z"}', '{}', NULL, NULL);
INSERT INTO public.packages (tenant_id, id, record, name, name_key, service_ids, is_active, removed_at, created_at) VALUES ('north', 'basic', '{"id": "basic", "name": "Basic", "isActive": true, "services": ["urine"]}', 'Basic', 'basic', '{urine}', true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.packages (tenant_id, id, record, name, name_key, service_ids, is_active, removed_at, created_at) VALUES ('north', 'several', '{"id": "several", "name": "Several", "isActive": true, "services": ["urine", "hair", "audiogram"]}', 'Several', 'several', '{urine,hair,audiogram}', true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.packages (tenant_id, id, record, name, name_key, service_ids, is_active, removed_at, created_at) VALUES ('north', 'dot', '{"id": "dot", "name": "DOT", "isActive": true, "services": ["dot-urine"]}', 'DOT', 'dot', '{dot-urine}', true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.packages (tenant_id, id, record, name, name_key, service_ids, is_active, removed_at, created_at) VALUES ('north', 'dot-alcohol', '{"id": "dot-alcohol", "name": "DOT Alcohol", "isActive": true, "services": ["dot-breath"]}', 'DOT Alcohol', 'dot alcohol', '{dot-breath}', true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.packages (tenant_id, id, record, name, name_key, service_ids, is_active, removed_at, created_at) VALUES ('north', 'background', '{"id": "background", "name": "Background", "isActive": true, "services": ["criminal", "urine"]}', 'Background', 'background', '{criminal,urine}', true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.receivers (tenant_id, origin, failures, open_until, closed_for, paused_at) VALUES ('north', 'https://hooks.example.com', 3, NULL, 0, '2026-11-15 12:00:00+00');
INSERT INTO public.result_messages (tenant_id, id, sender_kind, sender_id, message_id, token_id, state, why, event, order_id, service_id, occurred_at, received_at, settled_at, settled_by, content_hash, content) VALUES ('north', 'rsl_01m7h341qcnq6wgmwbwq34nmje', 'collector', 'collector-1', 'message-1', 'operator', 'applied', NULL, 'collected', 'ord_01m7h34107va1ay3avmkkbj34s', 'osv_01m7h34107va1ay3avmkkbj34s_1', '2026-11-16 02:31:31.792+00', '2026-11-16 02:31:31.82+00', NULL, NULL, '\xa11167391a676fbed63d34016dc3ea1bae929c061fec5fe0eaa964a5dff651e3', '\x010474657374f765fec62b12878b5fafef5ccd79897ee98c2e739e8bafebb89f6a550fea8d4a157d5d9977c5d17ceba44e043bda0298ef21e13f720b52d2fd9d9cc94e7491158c83f7d90db5173cf92805545a649a3011a3bacad29e9372b123d3483b32415131ce2412116bef5a3ea25ca5fbc4f95dbc9ae1df4dc5d5b44a23b3f45c9de797c2594de832764415a7d6dd69c846e2d4278621f8987ef078868b3631fe739ceddaa4d53b17c8c368cd56a16ba97663d045435590d2b21b15661ffa2cea0822533d0715659802a793d3cdb69d8859eab346a961c48f3c6f64552a2616d679980f9c1c13a4b09d2d61396193f601f174');
INSERT INTO public.result_messages (tenant_id, id, sender_kind, sender_id, message_id, token_id, state, why, event, order_id, service_id, occurred_at, received_at, settled_at, settled_by, content_hash, content) VALUES ('north', 'rsl_01m7h341r9s9e2hz279sq24hcf', 'lab', 'lab-1', 'message-1', 'operator', 'applied', NULL, 'receivedAtLab', 'ord_01m7h34107va1ay3avmkkbj34s', 'osv_01m7h34107va1ay3avmkkbj34s_1', '2026-11-16 02:31:31.835+00', '2026-11-16 02:31:31.849+00', NULL, NULL, '\xb16c8798fcb2e3b6821208d9ff87c482ebe7aa1743dfb2ccd9c2b7e3f5e17eeb', '\x0104746573741f490abfcf518dcfb3954807f498d85d69f4d9fb79b6c75650fe40fc8c7be8dc3240eaafe82b91269c4bd585d294f21aae0958d97e56b686efb301b5cb8786dee819d15dde785652bfca4d2e8dfc60da75e426a0305de342f927fb6713719de166aa1fb762d8fc9f9701938de689cc8e6218e44133f5d021f1bb2590be15bac699dd609f002f78fecde2a7f0e131374d0318b13bf5ca3b157db4e25407e0de82cf7108349d256a7269d00c9d7b9eb876c1ced33323984a9d4b68f039855517549ece02d631086b8d');
INSERT INTO public.result_messages (tenant_id, id, sender_kind, sender_id, message_id, token_id, state, why, event, order_id, service_id, occurred_at, received_at, settled_at, settled_by, content_hash, content) VALUES ('north', 'rsl_01m7h341rnryb98brtb6mx592x', 'lab', 'lab-1', 'message-3', 'operator', 'applied', NULL, 'result', 'ord_01m7h34107va1ay3avmkkbj34s', 'osv_01m7h34107va1ay3avmkkbj34s_1', '2026-11-16 02:31:31.857+00', '2026-11-16 02:31:31.861+00', NULL, NULL, '\xea4204cfa8628b660271a0a370c33fcec9011503a9b55a103bdf88028df6a8bc', '\x010474657374a5efb83dddfdbf3cb7466d3eb840f66ac77960a8e185bca78560efbe589ba6bfec8ddab765ba367bba8b28dcae1f5272b6d275247bc37e497debe10a5b8b4154c3b86007a59dab89053d05c81a771e4a5e773d121e68e8c46ff6934f9ac9ff8b82c8a822b27b4d09c2db1b1d427528a37a46de45d21031fc086253f7ae934914eed58e225caccaa880b35a3d5f0919e8d69b3c032d5d8a4dbe2905cb045585f103d8b8300d64d9ee16a23d12510c99f6eb5d76e75e25cfcdddd4c24b95b68408337bd8acf9121396ed73a775dd7ae6b73f27997e8559cad44173d7d08b3e179593642393ed9ea8ab75e7152d7a5296451bd0b9bd');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0001_catalog.sql', '38cef05924cfa21f1aa1b7d2eedda404f5fa6ade3005b6afb9cbbb7d71ad4943', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0002_orders.sql', '6b5c505911e397cbf3d036165371ddb7616982eef78570ec9ebae39dbd36b76c', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0003_order_counts.sql', '008c94da151cd7d04618b6d48fb0b96cf78898c91c442164fc2124d008f213f4', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0004_orders_at_scale.sql', 'a6aa6f90b96422c9166add30f1e5caafb16bea33fa36e3889005fc274baa7f53', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0005_deliveries.sql', '32a387f1377c99e1ba5d9367254c99e262ab8e341c806efbe2f33bbc374a5b1f', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0006_matches_and_key_checks.sql', '3eb7f8e59dacc7a60a7e0310b2e3ae9ca1241219ffc686dd0875fceeb7a78e6d', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0007_cheap_claims.sql', '696954d77adc5f45f78ad4b4be6407bcfc7117f1345f4dc06a1b00b0b6104604', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0008_life.sql', 'a881bb5ac54e4da8dade9280a6c331e542649d8020a1a8502351c5bb6e7b66f9', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0009_messages.sql', 'b0faf178deb9fef6e5b32e482be484fac999a38780cdfa5cbc8fb734becc736b', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0010_requesters.sql', '72af92c17dd9cd7958c5cf373fa53362188e5747c7fd8c77e6b5ecaba9ca4367', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0011_orders_alike.sql', '3243291e5c9b2a91a615669f8b9db479f9ee184bb58734a7e8970beafec5542e', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0012_messages_leave.sql', '60d8744d7a06eabe3b370e982c8f1e4bda74983ad342fa7af5dabdd8070cf698', '2026-11-15 16:00:00+00');
INSERT INTO public.schema_migrations (name, checksum, applied_at) VALUES ('0013_fresh_statistics.sql', '40dfe9184afc46c0e5f334b3d056e9f5e9f18b0531c0607015fc5365862c6021', '2026-11-15 16:00:00+00');
INSERT INTO public.services (tenant_id, id, record, name, name_key, category, type, is_dot, is_active, removed_at, created_at) VALUES ('north', 'urine', '{"id": "urine", "lab": {"id": "heartland", "name": "Heartland Toxicology"}, "name": "Urine", "type": "urine", "isDot": false, "category": "drug"}', 'Urine', 'urine', 'drug', 'urine', false, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.services (tenant_id, id, record, name, name_key, category, type, is_dot, is_active, removed_at, created_at) VALUES ('north', 'hair', '{"id": "hair", "name": "Hair", "type": "hair", "isDot": false, "category": "drug"}', 'Hair', 'hair', 'drug', 'hair', false, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.services (tenant_id, id, record, name, name_key, category, type, is_dot, is_active, removed_at, created_at) VALUES ('north', 'audiogram', '{"id": "audiogram", "name": "Audiogram", "type": "audiogram", "isDot": false, "category": "occupationalHealth"}', 'Audiogram', 'audiogram', 'occupationalHealth', 'audiogram', false, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.services (tenant_id, id, record, name, name_key, category, type, is_dot, is_active, removed_at, created_at) VALUES ('north', 'dot-urine', '{"id": "dot-urine", "lab": {"id": "heartland", "name": "Heartland Toxicology"}, "name": "DOT Urine", "type": "urine", "isDot": true, "category": "drug", "requiresMro": true}', 'DOT Urine', 'dot urine', 'drug', 'urine', true, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.services (tenant_id, id, record, name, name_key, category, type, is_dot, is_active, removed_at, created_at) VALUES ('north', 'dot-breath', '{"id": "dot-breath", "name": "DOT Breath", "type": "breath", "isDot": true, "category": "alcohol"}', 'DOT Breath', 'dot breath', 'alcohol', 'breath', true, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.services (tenant_id, id, record, name, name_key, category, type, is_dot, is_active, removed_at, created_at) VALUES ('north', 'criminal', '{"id": "criminal", "name": "Criminal Record", "type": "criminal", "isDot": false, "category": "background"}', 'Criminal Record', 'criminal record', 'background', 'criminal', false, true, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.tenants (id, name, created_at) VALUES ('north', 'Tenant north', '2026-11-16 02:31:27.94439+00');
INSERT INTO public.tokens (tenant_id, id, name, scopes, company_ids, secret_hash, rate_limit, expires_at, origin, is_active, revoked_at, last_used_at, created_at) VALUES ('north', 'acme-secret-redactError', 'acme-secret-redactError', '{order.create,order.read,order.list,order.cancel,agency.list,agency.read,agency.jobCategories.read,clinic.list,clinic.read,clinic.search,company.list,company.read,location.list,location.read,package.list,package.read,service.list,service.read}', '{acme}', '\x7d8b55ccb8c5180912e6aac88208587145fcb671011352f98bcfb7deb84a11d6', NULL, NULL, 'catalog', true, NULL, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.tokens (tenant_id, id, name, scopes, company_ids, secret_hash, rate_limit, expires_at, origin, is_active, revoked_at, last_used_at, created_at) VALUES ('north', 'globex-secret-full-scope', 'globex-secret-full-scope', '{order.create,order.read,order.participant.read,order.list,order.cancel,agency.list,agency.read,agency.jobCategories.read,clinic.list,clinic.read,clinic.search,company.list,company.read,location.list,location.read,package.list,package.read,service.list,service.read}', '{globex}', '\xd6387595ff2a937f10a72e45fa50825141ff6696fe95015054ee07bc4ae7780e', NULL, NULL, 'catalog', true, NULL, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.tokens (tenant_id, id, name, scopes, company_ids, secret_hash, rate_limit, expires_at, origin, is_active, revoked_at, last_used_at, created_at) VALUES ('north', 'redactError-operator', 'operator-secret-redactError', '{operator.orders.read,operator.orders.write,operator.results.read,operator.results.write,operator.documents.read,operator.deliveries.read,operator.deliveries.write,operator.tokens.read,operator.tokens.write,operator.catalog.read,operator.catalog.write,operator.messages.read,operator.messages.write,operator.audit.read}', '{}', '\x66fcf459dfcaa9fefed04d5ae2083cdf0580a13111ea625dfdf957dcbb6990e1', NULL, NULL, 'catalog', true, NULL, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.tokens (tenant_id, id, name, scopes, company_ids, secret_hash, rate_limit, expires_at, origin, is_active, revoked_at, last_used_at, created_at) VALUES ('north', 'lab', 'intake-secret-laboratory', '{intake.lab}', '{}', '\xcf7c01e60feaa917da9c1651234cc8cc970983e11b46b38eef0691fb2b14f3c4', NULL, NULL, 'catalog', true, NULL, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.tokens (tenant_id, id, name, scopes, company_ids, secret_hash, rate_limit, expires_at, origin, is_active, revoked_at, last_used_at, created_at) VALUES ('north', 'mro', 'intake-secret-reviewer', '{intake.mro}', '{}', '\x1efc8a687dcf17a003dc34fb58a059864a54fe393eed91f3d884643534057aeb', NULL, NULL, 'catalog', true, NULL, NULL, '2026-11-16 02:31:27.94439+00');
INSERT INTO public.tokens (tenant_id, id, name, scopes, company_ids, secret_hash, rate_limit, expires_at, origin, is_active, revoked_at, last_used_at, created_at) VALUES ('north', 'acme-secret-full-scope', 'acme-secret-full-scope', '{order.create,order.read,order.participant.read,order.list,order.cancel,agency.list,agency.read,agency.jobCategories.read,clinic.list,clinic.read,clinic.search,company.list,company.read,location.list,location.read,package.list,package.read,service.list,service.read}', '{acme}', '\x41d06502cda8653c7860514313bf3453c934f43194c1a35eda767bbb57bdc293', NULL, NULL, 'catalog', true, NULL, '2026-11-16 02:31:32.644+00', '2026-11-16 02:31:27.94439+00');
INSERT INTO public.tokens (tenant_id, id, name, scopes, company_ids, secret_hash, rate_limit, expires_at, origin, is_active, revoked_at, last_used_at, created_at) VALUES ('north', 'operator', 'operator-secret-every-scope', '{operator.orders.read,operator.orders.write,operator.participants.read,operator.results.read,operator.results.write,operator.documents.read,operator.deliveries.read,operator.deliveries.write,operator.tokens.read,operator.tokens.write,operator.catalog.read,operator.catalog.write,operator.messages.read,operator.messages.write,operator.audit.read,intake.collector,intake.courier,intake.lab,intake.mro,intake.bat,intake.clinic,intake.background}', '{}', '\x7d0ea5994f968f7845cff774995bc0fb6590aabac2a96d7b2e1f873cd783fda5', NULL, NULL, 'catalog', true, NULL, '2026-11-16 02:31:32.67+00', '2026-11-16 02:31:27.94439+00');
SELECT pg_catalog.setval('public.delivery_attempts_seq_seq', 1, false);
SELECT pg_catalog.setval('public.order_changes_seq_seq', 1, false);
SELECT pg_catalog.setval('public.order_matches_seq_seq', 1, false);
ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.callbacks
    ADD CONSTRAINT callbacks_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.catalog_version
    ADD CONSTRAINT catalog_version_pkey PRIMARY KEY (single);
ALTER TABLE ONLY public.clinic_records
    ADD CONSTRAINT clinic_records_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.clinic_words
    ADD CONSTRAINT clinic_words_pkey PRIMARY KEY (tenant_id, word);
ALTER TABLE ONLY public.clinics
    ADD CONSTRAINT clinics_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.companies
    ADD CONSTRAINT companies_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.delivery_attempts
    ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY (tenant_id, delivery_id, seq);
ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, token_id, key);
ALTER TABLE ONLY public.key_checks
    ADD CONSTRAINT key_checks_pkey PRIMARY KEY (key_id);
ALTER TABLE ONLY public.locations
    ADD CONSTRAINT locations_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.mailbox
    ADD CONSTRAINT mailbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.message_attempts
    ADD CONSTRAINT message_attempts_pkey PRIMARY KEY (tenant_id, message_id, number);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.order_chunks
    ADD CONSTRAINT order_chunks_pkey PRIMARY KEY (tenant_id, company_id, list, start_key);
ALTER TABLE ONLY public.order_links
    ADD CONSTRAINT order_links_pkey PRIMARY KEY (secret_hash);
ALTER TABLE ONLY public.order_matches
    ADD CONSTRAINT order_matches_pkey PRIMARY KEY (tenant_id, order_id, seq);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.packages
    ADD CONSTRAINT packages_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.receivers
    ADD CONSTRAINT receivers_pkey PRIMARY KEY (tenant_id, origin);
ALTER TABLE ONLY public.result_messages
    ADD CONSTRAINT result_messages_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_secret_hash_key UNIQUE (secret_hash);
CREATE INDEX audit_entries_by_action ON public.audit_entries USING btree (tenant_id, action, id DESC);
CREATE INDEX audit_entries_by_token ON public.audit_entries USING btree (tenant_id, token_id, id DESC);
CREATE INDEX audit_entries_of_subject ON public.audit_entries USING btree (tenant_id, subject_id, id DESC);
CREATE UNIQUE INDEX callbacks_by_url ON public.callbacks USING btree (tenant_id, order_id, md5(url));
CREATE INDEX clinic_words_alike ON public.clinic_words USING gin (tenant_id, word public.gin_trgm_ops);
CREATE INDEX clinic_words_one_slip_apart ON public.clinic_words USING gin (tenant_id, remnants);
CREATE INDEX clinics_by_city ON public.clinics USING gin (tenant_id, city_key public.gin_trgm_ops);
CREATE INDEX clinics_by_part_of_name ON public.clinics USING gin (tenant_id, name_key public.gin_trgm_ops);
CREATE INDEX clinics_by_position ON public.clinics USING gist (tenant_id, "position");
CREATE INDEX clinics_by_state ON public.clinics USING btree (tenant_id, state_key, name_key, name, id, is_active);
CREATE INDEX clinics_by_word ON public.clinics USING gin (tenant_id, words);
CREATE INDEX clinics_counted ON public.clinics USING btree (tenant_id, is_active);
CREATE INDEX clinics_in_order ON public.clinics USING btree (tenant_id, name_key, name, id, is_active);
CREATE INDEX clinics_inactive ON public.clinics USING btree (tenant_id, id) WHERE (NOT is_active);
CREATE INDEX deliveries_by_origin ON public.deliveries USING btree (tenant_id, origin, id);
CREATE INDEX deliveries_due ON public.deliveries USING btree (due_at) WHERE (state = 'waiting'::text);
CREATE INDEX deliveries_failed ON public.deliveries USING btree (tenant_id, id) WHERE (state = 'failed'::text);
CREATE INDEX deliveries_held ON public.deliveries USING btree (tenant_id, origin, due_at) WHERE (state = 'held'::text);
CREATE INDEX deliveries_of_order ON public.deliveries USING btree (tenant_id, order_id, id);
CREATE INDEX deliveries_to_forget ON public.deliveries USING btree (ended_at) WHERE ((body IS NOT NULL) AND (ended_at IS NOT NULL));
CREATE INDEX delivery_attempts_by_age ON public.delivery_attempts USING btree (at);
CREATE INDEX documents_of_result ON public.documents USING btree (tenant_id, result_id, id);
CREATE INDEX events_of_order ON public.events USING btree (tenant_id, order_id, id);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX locations_in_order ON public.locations USING btree (tenant_id, company_id, name_key, name, id);
CREATE INDEX messages_by_state ON public.messages USING btree (tenant_id, state, id DESC);
CREATE INDEX messages_claimed ON public.messages USING btree (lease_until) WHERE (state = 'sending'::text);
CREATE INDEX messages_due ON public.messages USING btree (channel, due_at) WHERE (state = 'waiting'::text);
CREATE INDEX messages_ended ON public.messages USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX messages_of_order ON public.messages USING btree (tenant_id, order_id, id);
CREATE INDEX order_changes_in_turn ON public.order_changes USING btree (seq);
CREATE INDEX order_changes_of_company ON public.order_changes USING btree (tenant_id, company_id);
CREATE INDEX order_chunks_too_large ON public.order_chunks USING btree (n) WHERE (n >= 2000);
CREATE INDEX order_links_by_age ON public.order_links USING btree (expires_at);
CREATE INDEX order_links_of_order ON public.order_links USING btree (tenant_id, order_id);
CREATE INDEX orders_alike ON public.orders USING gin (match_keys) WITH (fastupdate=off);
CREATE INDEX orders_at_location ON public.orders USING btree (tenant_id, location_id, id DESC);
CREATE INDEX orders_awaited ON public.orders USING btree (tenant_id, awaited_at) WHERE (awaited_at IS NOT NULL);
CREATE UNIQUE INDEX orders_by_code ON public.orders USING btree (tenant_id, code);
CREATE INDEX orders_by_specimen ON public.orders USING gin (tenant_id, specimen_ids) WHERE (specimen_ids <> '{}'::text[]);
CREATE INDEX orders_by_status ON public.orders USING btree (tenant_id, company_id, status, id DESC);
CREATE INDEX orders_by_update ON public.orders USING btree (tenant_id, company_id, public.updated_key(updated_at, id));
CREATE INDEX orders_due ON public.orders USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX orders_of_company ON public.orders USING btree (tenant_id, company_id, id DESC);
CREATE UNIQUE INDEX result_messages_by_sender ON public.result_messages USING btree (tenant_id, sender_kind, sender_id, message_id);
CREATE INDEX result_messages_by_state ON public.result_messages USING btree (tenant_id, state, id DESC);
CREATE INDEX result_messages_of_order ON public.result_messages USING btree (tenant_id, order_id, id) WHERE (order_id IS NOT NULL);
CREATE INDEX result_messages_of_sender ON public.result_messages USING btree (tenant_id, sender_id, id DESC);
CREATE TRIGGER audit_entries_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
ALTER TABLE ONLY public.clinic_words
    ADD CONSTRAINT clinic_words_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.clinics
    ADD CONSTRAINT clinics_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.companies
    ADD CONSTRAINT companies_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.locations
    ADD CONSTRAINT locations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.packages
    ADD CONSTRAINT packages_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
