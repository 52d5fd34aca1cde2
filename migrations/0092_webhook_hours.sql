-- What each webhook did, hour by hour, counted as it happens: to count attempts afterwards, the whole journal
-- would have to be read.

-- Attempts by how long they took: `duration` is the number of the span (domain/webhookHours.ts).
create table webhook_hours (
  project_id text not null,
  webhook_id uuid not null,
  hour       timestamptz not null,
  duration   smallint not null,
  attempts   integer not null,
  failed     integer not null,
  primary key (project_id, webhook_id, hour, duration),
  foreign key (project_id, webhook_id) references webhooks (project_id, id) on delete cascade
) with (fillfactor = 50);
create index webhook_hours_by_hour on webhook_hours (hour);

-- The most events that were undelivered at once. An hour in which nothing waited has no row.
create table webhook_backlog_hours (
  project_id text not null,
  webhook_id uuid not null,
  hour       timestamptz not null,
  most       integer not null,
  primary key (project_id, webhook_id, hour),
  foreign key (project_id, webhook_id) references webhooks (project_id, id) on delete cascade
) with (fillfactor = 50);
create index webhook_backlog_hours_by_hour on webhook_backlog_hours (hour);
