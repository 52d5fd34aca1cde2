-- The end users of a project: who they are, where they signed in, what they said of themselves.

-- One row for each generation of an identifier. A deletion makes the row dead and so unreachable; the
-- next event of the same identifier opens a new generation.
create table identities (
  project_id  text not null references projects (id),
  id          bigint not null generated always as identity,
  kind        text not null check (kind in ('user', 'anonymous', 'fingerprint')),
  -- The client's own identifier; null once a dead identity has been purged.
  external_id text collate "C",
  -- The user that this device belongs to. A user is never merged, so a chain has one link.
  merged_into bigint,
  dead_at     timestamptz,
  created_at  timestamptz not null default now(),
  primary key (project_id, id),
  check (kind <> 'user' or merged_into is null)
);

create unique index identities_live on identities (project_id, kind, external_id) where dead_at is null;
create index identities_members on identities (project_id, merged_into) where merged_into is not null;

-- Users seen on a device: one makes its fingerprint verified, a second one disputes it.
create table device_logins (
  project_id  text not null,
  fingerprint uuid not null,
  identity_id bigint not null,
  created_at  timestamptz not null default now(),
  primary key (project_id, fingerprint, identity_id)
);

create index device_logins_user on device_logins (project_id, identity_id);

create table profiles (
  project_id         text not null,
  identity_id        bigint not null,
  gender             text check (gender in ('male', 'female')),
  birth_year         integer,
  city               text,
  country            text,
  interests          text[],
  excluded_interests text[],
  followed_authors   text[],
  hidden_authors     text[],
  personalization    boolean,
  attributes         jsonb,
  -- Field → the time of its last change.
  fields_updated_at  jsonb not null default '{}',
  primary key (project_id, identity_id),
  foreign key (project_id, identity_id) references identities (project_id, id)
);
