-- What participants meet: whose test it is, and the texts they agree to.

-- The tenant's `branding` and `texts`, as its catalog file has them.
alter table tenants add column record jsonb not null default '{}';
