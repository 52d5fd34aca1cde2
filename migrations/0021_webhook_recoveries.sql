-- Recoveries: what a webhook did not get is queued again, page by page (docs/decisions/webhook-recovery.md).
create table webhook_recoveries (
  project_id  text not null,
  id          uuid not null default attune_uuid_v7(),
  webhook_id  uuid not null,
  -- Which deliveries of its journal: created from `since` on and before `until`.
  since       timestamptz not null,
  until       timestamptz not null,
  statuses    text[] not null check (cardinality(statuses) > 0 and statuses <@ array['failed', 'dropped']),
  -- `cancelled`: its webhook was disabled meanwhile, or its project is no longer active.
  state       text not null default 'running' check (state in ('running', 'done', 'cancelled')),
  -- The transactions that were under way when it was asked for: what they drop belongs to it too, so it
  -- begins when they are over.
  under_way   xid[] not null,
  -- The last delivery that was looked at; the next page begins behind it.
  position_at timestamptz not null,
  position_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- First attempts that may wait at a time (domain/webhookRecovery.ts).
  room        integer not null,
  -- Null until it has been counted, and when it is beyond what is counted.
  total       integer,
  done        integer not null default 0,
  skipped     integer not null default 0,
  request_id  text,
  created_at  timestamptz not null default now(),
  -- When it came further last.
  updated_at  timestamptz not null default now(),
  finished_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, webhook_id) references webhooks (project_id, id) on delete cascade
);

create unique index webhook_recoveries_running on webhook_recoveries (project_id, webhook_id) where state = 'running';
create index webhook_recoveries_list on webhook_recoveries (project_id, webhook_id, id desc);

-- Attempts made before the schedule that the delivery has now: a recovered one gets all seven again,
-- and their numbers in the journal go on.
alter table deliveries add column schedule_start integer not null default 0;

alter table jobs drop constraint jobs_kind_check;
alter table jobs add constraint jobs_kind_check
  check (kind in ('orders', 'user-link', 'user-delete', 'import', 'rerun', 'webhook-recovery'));
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('item', 'delivery', 'orders', 'user-link', 'user-delete', 'import', 'rerun', 'webhook-recovery'));
