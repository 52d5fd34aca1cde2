-- Tests of a project's webhooks within the last minutes: their limit outlives the webhook that was
-- tested, whose journal goes with it.
create table webhook_tests (
  project_id text not null references projects (id),
  created_at timestamptz not null default now(),
  id         uuid not null default attune_uuid_v7(),
  primary key (project_id, created_at, id)
);

drop index deliveries_tests;
