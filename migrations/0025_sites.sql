-- What a site is beyond its name: where its tag may run, in which time and money its reports are, what
-- it may use, and its goals.

alter table sites
  -- Host names whose pages may send hits: exact names, `*.example.com` for all below it, `*` for any.
  add column hosts             text[] not null default '{}',
  -- IANA name; reports are in it.
  add column timezone          text not null default 'UTC',
  -- ISO 4217; money of reports is in it.
  add column currency          text not null default 'RUB' check (currency ~ '^[A-Z]{3}$'),
  -- Currency → how much of the site's own one unit of it is.
  add column rates             jsonb not null default '{}',
  add column owner_state       text not null default 'active' check (owner_state in ('active', 'blocked')),
  -- Only what differs from the documented defaults (domain/sites.ts).
  add column quotas            jsonb not null default '{}',
  add column limits            jsonb not null default '{}',
  add column robots            jsonb not null default '{}',
  add column fingerprints      boolean not null default false,
  add column recordings        boolean not null default false,
  add column network_enabled   boolean not null default false,
  add column sensitive_topics  boolean not null default false;

-- A tag key is public: every page of the site shows it, and the cabinet's snippet must too.
alter table site_keys add column public_key text check (kind = 'tag' or public_key is null);

create table site_goals (
  site_id    text not null references sites (id),
  code       text not null check (code ~ '^[a-z0-9_-]{1,64}$'),
  title      text not null,
  type       text not null check (type in ('js', 'url', 'event', 'form', 'purchase')),
  match      jsonb,
  value      numeric,
  enabled    boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (site_id, code)
);

-- Processes remember keys and sites for some seconds; a change makes them forget (db/projectKeys.ts ACCESS_CHANNEL).
create trigger sites_access after update on sites for each row
  when (new is distinct from old) execute function announce_access();
create trigger site_keys_access after update of revoked_at on site_keys for each row
  when (new.revoked_at is distinct from old.revoked_at) execute function announce_access();
create trigger site_keys_gone after delete on site_keys for each statement execute function announce_access();
create trigger site_goals_access after insert or update or delete on site_goals for each statement execute function announce_access();

-- A site whose owners are all blocked is closed: whose it is, is found by the site, and a change holds at once.
create index users_owned_sites on users using gin (sites) where role = 'owner';
create trigger users_access after update of state, role, sites on users for each row
  when ((new.state, new.role, new.sites) is distinct from (old.state, old.role, old.sites)) execute function announce_access();
create trigger users_gone after delete on users for each statement execute function announce_access();
