-- What participants were shown and agreed to: the notice of regulated tests, consent, and the texts of background checks.

-- Each text once. It names the company, never a person.
create table agreement_texts (
  tenant_id text collate "C" not null,
  -- SHA-256 of the text, in base64url.
  hash text collate "C" not null,
  text text not null,
  primary key (tenant_id, hash)
);

create table agreements (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('notice', 'consent', 'disclosure', 'authorization')),
  version text not null,
  language text collate "C" not null,
  text_hash text collate "C" not null,
  agreed_at timestamptz not null,
  -- The typed name and date of an authorization, sealed; null for the rest.
  signature bytea,
  primary key (tenant_id, id)
);
create index agreements_of_order on agreements (tenant_id, order_id);
