-- Named filters of the list of orders.
create table saved_views (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  -- The person or token that saved it.
  owner_id text collate "C" not null,
  position int not null,
  is_shared boolean not null,
  -- Name and filters, sealed: they may name a person, a specimen or an id of a client.
  content bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index saved_views_of_owner on saved_views (tenant_id, owner_id, position);
create index saved_views_shared on saved_views (tenant_id) where is_shared;
