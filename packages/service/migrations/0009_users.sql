-- People who sign in to the console (docs/decisions/0037-people.md).

create table users (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  -- Keyed hash of the e-mail address.
  email_key bigint not null,
  -- Keyed hash of issuer and subject at the OpenID Connect provider; null before the first sign-in there.
  oidc_key bigint,
  role text collate "C" not null,
  is_active boolean not null default true,
  -- The demo operator of a sandbox, who signs in without any proof. Production ignores it.
  is_demo boolean not null default false,
  -- Name, e-mail address and subject, sealed.
  content bytea not null,
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  primary key (tenant_id, id)
);
-- A sign-in finds the person before the tenant is known.
create unique index users_by_email on users (email_key, tenant_id);
create unique index users_by_subject on users (oidc_key) where oidc_key is not null;

-- Links that let an invited person register a passkey, once.
create table user_invitations (
  -- SHA-256 of the secret in the link.
  secret_hash bytea primary key,
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (tenant_id, user_id) references users
);
create unique index user_invitations_of_user on user_invitations (tenant_id, user_id);
create index user_invitations_by_expiry on user_invitations (expires_at);

create table passkeys (
  -- Chosen by the authenticator; a sign-in begins with it.
  credential_id bytea primary key,
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  public_key bytea not null,
  -- The authenticator counts its signatures: a number that does not grow reveals a copy. Synced passkeys stay at 0.
  counter bigint not null,
  transports text[] not null,
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  foreign key (tenant_id, user_id) references users
);
create index passkeys_of_user on passkeys (tenant_id, user_id, id);

create table user_sessions (
  -- SHA-256 of the secret in the cookie.
  secret_hash bytea primary key,
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  method text collate "C" not null check (method in ('passkey', 'oidc', 'demo')),
  -- User agent and address at the sign-in, sealed.
  content bytea not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (tenant_id, user_id) references users
);
create unique index user_sessions_by_id on user_sessions (tenant_id, id);
create index user_sessions_of_user on user_sessions (tenant_id, user_id, id);
create index user_sessions_by_expiry on user_sessions (expires_at);

-- What a sign-in must prove to have received from us: each counts once, for a few minutes.
create table sign_in_challenges (
  -- SHA-256 of the challenge.
  challenge_hash bytea primary key,
  kind text collate "C" not null check (kind in ('signIn', 'registration', 'oidc')),
  -- Who may answer it; null if anyone may.
  tenant_id text collate "C",
  user_id text collate "C",
  expires_at timestamptz not null
);
create index sign_in_challenges_by_expiry on sign_in_challenges (expires_at);

-- The person who acted. Entries before this column, and those of tokens and commands, have none.
alter table audit_entries add column user_id text collate "C";
