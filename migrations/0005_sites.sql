-- Sites of the analytics side: who they are and what opens them. What they collect comes with the
-- analytics itself.

create table sites (
  id         text primary key check (id ~ '^[a-z0-9]{12}$'),
  client_id  uuid not null references clients (id),
  title      text not null,
  state      text not null default 'active' check (state in ('active', 'blocked', 'deleted')),
  created_at timestamptz not null default now()
);

-- `api` keys (ak_) authenticate servers; `tag` keys (as_) are public and name a site in a browser.
create table site_keys (
  site_id      text not null references sites (id),
  id           uuid not null default attune_uuid_v7(),
  kind         text not null check (kind in ('api', 'tag')),
  name         text not null,
  prefix       text not null,
  hash         bytea not null unique,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at   timestamptz,
  primary key (site_id, id)
);
