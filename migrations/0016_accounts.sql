-- Who uses the cabinet: people with passwords, their sessions, and whose the tokens are.

create table users (
  id            uuid primary key default attune_uuid_v7(),
  email         text not null unique check (email = lower(email)),
  -- Method, parameters, salt and hash (domain/passwords.ts).
  password_hash text not null,
  role          text not null check (role in ('admin', 'owner', 'viewer')),
  state         text not null default 'active' check (state in ('active', 'blocked')),
  -- What an owner has and a viewer sees. An admin sees everything, whatever is written here.
  projects      text[] not null default '{}',
  sites         text[] not null default '{}',
  created_at    timestamptz not null default now(),
  last_login_at timestamptz
);

create table sessions (
  hash         bytea primary key,
  user_id      uuid not null references users (id) on delete cascade,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);

create index sessions_user on sessions (user_id);

-- A token acts as its user, whose role it has. One without a user is the installation's own and has
-- its role here.
alter table cabinet_tokens
  add column user_id uuid references users (id) on delete cascade,
  alter column role drop not null,
  add constraint cabinet_tokens_rights check ((user_id is null) = (role is not null));

create index cabinet_tokens_user on cabinet_tokens (user_id);
