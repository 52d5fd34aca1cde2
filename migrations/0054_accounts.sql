-- Accounts begin with an invitation, tokens end, and a password may need a second factor.

-- A secret by which somebody sets the password of an account: a new one, or (user_id) one that is there. The account
-- of a new one does not exist before: nothing in it says whether its address is somebody's already.
create table invitations (
  id         uuid primary key default attune_uuid_v7(),
  hash       bytea not null unique,
  user_id    uuid unique references users (id) on delete cascade,
  email      text not null check (email = lower(email)),
  role       text not null check (role in ('admin', 'owner', 'viewer')),
  projects   text[] not null default '{}',
  sites      text[] not null default '{}',
  -- Whose right to invite is asked again when it is accepted; null for the installation.
  invited_by uuid references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- domain/roles.ts OWNER_QUOTA.
  constraint invitations_owner_projects check (role <> 'owner' or cardinality(projects) <= 200),
  constraint invitations_owner_sites check (role <> 'owner' or cardinality(sites) <= 30)
);

create index invitations_inviter on invitations (invited_by);
create index invitations_end on invitations (expires_at);

-- Tokens that were made without an end have a year from now on.
alter table cabinet_tokens add column expires_at timestamptz not null default now() + interval '365 days';

alter table users
  -- Encrypted (domain/secretKeys.ts), bound to the user. It counts once totp_since is set.
  add column totp_secret bytea,
  add column totp_since timestamptz,
  -- The last time step whose code was used: a code is used once.
  add column totp_step bigint not null default 0;

-- Hashes of the codes that do instead of a second factor, each once.
create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  hash    bytea not null,
  used_at timestamptz,
  primary key (user_id, hash)
);
