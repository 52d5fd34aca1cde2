-- What was changed through the cabinet API, by whom and from where. It outlives what it tells of, so nothing refers.
create table audit_log (
  -- UUIDv7: in the order of time.
  id         uuid primary key default attune_uuid_v7(),
  at         timestamptz not null default now(),
  user_id    uuid,
  token_id   uuid,
  -- The user's e-mail, or the name of a token of the installation.
  actor      text not null,
  ip         text not null,
  operation  text not null,
  -- Ids of the path, without those of sites' visitors and users.
  params     jsonb not null,
  -- Names of the fields that were sent, never their values.
  fields     text[] not null,
  project_id text,
  site_id    text,
  status     smallint not null,
  request_id text not null
);

create index audit_log_project on audit_log (project_id, id) where project_id is not null;
create index audit_log_site on audit_log (site_id, id) where site_id is not null;
create index audit_log_user on audit_log (user_id, id) where user_id is not null;
