-- Files of imports that are being received: each holds one of its project's places until it ends or falls silent.
create table import_uploads (
  project_id text not null references projects (id),
  id         uuid not null,
  expires_at timestamptz not null,
  primary key (project_id, id)
);
