-- Who owns what: clients, their projects, and the keys and tokens that open them.

-- RFC 9562 version 7: 48 bits of Unix milliseconds, the rest random. PostgreSQL 18 has its own;
-- this one keeps older servers usable.
create function attune_uuid_v7() returns uuid language sql volatile as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

create table clients (
  id          uuid primary key default attune_uuid_v7(),
  title       text not null,
  state       text not null default 'active' check (state in ('active', 'blocked')),
  created_at  timestamptz not null default now()
);

create table projects (
  id             text primary key check (id ~ '^[a-z0-9]{12}$'),
  client_id      uuid not null references clients (id),
  title          text not null,
  state          text not null default 'active' check (state in ('active', 'suspended', 'archived')),
  -- Only what differs from the documented defaults, e.g. {"requests_per_second": 100}.
  limits         jsonb not null default '{}',
  monthly_volume integer check (monthly_volume >= 0),
  fingerprints   boolean not null default false,
  created_at     timestamptz not null default now()
);

create table project_keys (
  project_id   text not null references projects (id),
  id           uuid not null default attune_uuid_v7(),
  name         text not null,
  prefix       text not null,
  hash         bytea not null unique,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at   timestamptz,
  primary key (project_id, id)
);

create table cabinet_tokens (
  id           uuid primary key default attune_uuid_v7(),
  name         text not null,
  role         text not null check (role in ('admin', 'owner', 'viewer')),
  prefix       text not null,
  hash         bytea not null unique,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at   timestamptz
);
