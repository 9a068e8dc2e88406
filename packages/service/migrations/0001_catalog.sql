-- The catalog: what operators set up in files, and what tokens may read of it.
--
-- Ids are the operator's own, unique within a tenant, so the tenant leads every key.
-- `record` holds an entry as its catalog file has it: files are compared with it, and exports are made of it.
-- `name_key` and its like are folded to lower case by the service, so that neither order nor filters
-- depend on the locale the database was made with.
-- `is_active` is false for what a file switched off and for what it no longer names; `removed_at` tells the latter.

create extension if not exists cube;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create extension if not exists btree_gist;

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
  -- On a sphere in miles, so that a straight line orders clinics as the way along the ground does.
  position cube,
  -- The words a text search finds it by.
  words text[] not null,
  service_ids text[] not null,
  fee numeric,
  is_active boolean not null,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
-- With `is_active` in them, the first two answer deep pages and totals without a look at the table.
create index clinics_in_order on clinics (tenant_id, name_key, name, id, is_active);
create index clinics_counted on clinics (tenant_id, is_active);
create index clinics_by_state on clinics (tenant_id, state_key, name_key, name, id, is_active);
create index clinics_by_part_of_name on clinics using gin (tenant_id, name_key gin_trgm_ops);
create index clinics_by_city on clinics using gin (tenant_id, city_key gin_trgm_ops);
create index clinics_by_position on clinics using gist (tenant_id, position);
create index clinics_by_word on clinics using gin (tenant_id, words);

-- Clinics are many and are counted in searches, so what only files and exports need is kept out of their rows.
create table clinic_records (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  record jsonb not null,
  primary key (tenant_id, id)
);

-- Every word of a tenant's clinics once: misspelt words are looked up here and not in each clinic.
create table clinic_words (
  tenant_id text collate "C" not null references tenants,
  word text collate "C" not null,
  -- The word, and what is left of it without each of its letters: words that are one slip apart share one of these.
  remnants text[] not null,
  primary key (tenant_id, word)
);
create index clinic_words_alike on clinic_words using gin (tenant_id, word gin_trgm_ops);
create index clinic_words_one_slip_apart on clinic_words using gin (tenant_id, remnants);

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
  -- Its own packages; empty where it offers those of its company.
  package_ids text[] not null,
  settings jsonb not null,
  is_active boolean not null,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index locations_in_order on locations (tenant_id, company_id, name_key, name, id);

create table tokens (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  name text not null,
  scopes text[] not null,
  company_ids text[] not null,
  -- SHA-256 of the secret; null until one is issued. The secret itself is kept nowhere.
  secret_hash bytea unique,
  rate_limit integer,
  expires_at timestamptz,
  -- 'catalog' tokens come and go with their file; 'issued' ones are made by the operator and left alone by files.
  origin text not null check (origin in ('catalog', 'issued')),
  is_active boolean not null default true,
  -- Set by the operator and never undone by a file.
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

-- Grows by one with every change of the catalog or of a token, so that nodes know when what they remember is stale.
create table catalog_version (
  single boolean primary key default true check (single),
  version bigint not null
);
insert into catalog_version (version) values (1);
