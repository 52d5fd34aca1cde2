-- not additive: the constraints of jobs and outbox are replaced by looser ones that know one kind more.
-- Models of what people meet together (docs/decisions/training.md). A row for each training, newest first by its id.
create table output_models (
  project_id  text not null references projects (id),
  id          uuid not null default attune_uuid_v7(),
  -- `full`: of all that is there. `changes`: what has changed since the published model, in its columns alone.
  kind        text not null check (kind in ('full', 'changes')),
  state       text not null default 'training' check (state in ('training', 'published', 'rejected', 'failed')),
  -- Why it was not published.
  reason      text,
  started_at  timestamptz not null default now(),
  finished_at timestamptz,
  -- What it was made of; null until that was read.
  events      bigint,
  items       integer,
  people      integer,
  -- Stored rows of the project's events when it was read, by which the next training sees whether there is anything new.
  rows_read   bigint,
  read_at     timestamptz,
  -- {"ndcg", "recall", "popular_7d"}: on the last window, against the popularity of the seven days before it.
  quality     jsonb,
  -- How it was trained, and how its parts are put together (output/training/settings.ts).
  settings    jsonb,
  -- Null unless it was published, and when its file was removed because another took its place.
  blob_key    text,
  request_id  text,
  primary key (project_id, id),
  check ((state = 'training') = (finished_at is null)),
  check (state <> 'published' or (settings is not null and events is not null)),
  check ((state in ('rejected', 'failed')) = (reason is not null))
);

-- One at a time, so that what was forgotten meanwhile is forgotten by the next one.
create unique index output_models_training on output_models (project_id) where state = 'training';
-- The one that holds: the last that was published.
create index output_models_published on output_models (project_id, finished_at desc) where state = 'published';
-- Those that are told of no longer (db/output/models.ts).
create index output_models_age on output_models (finished_at) where blob_key is null;

-- Items of which events were taken away (their person was deleted) or given to somebody else (a link), after the project
-- had a model. A row for each time: two deletions never wait for each other here.
create table output_forgotten (
  project_id text not null,
  id         bigint not null generated always as identity,
  item_id    text not null,
  noted_at   timestamptz not null default now(),
  primary key (project_id, id)
);

-- When all projects were looked at last: whether they are trained at all is told by the age of these.
create table output_training_rounds (
  round    text primary key check (round in ('night', 'changes')),
  ended_at timestamptz not null default now()
);
insert into output_training_rounds (round) values ('night'), ('changes');

alter table jobs drop constraint jobs_kind_check;
alter table jobs add constraint jobs_kind_check
  check (kind in ('orders', 'user-link', 'user-delete', 'import', 'rerun', 'webhook-recovery', 'training'));
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('item', 'delivery', 'orders', 'user-link', 'user-delete', 'import', 'rerun', 'webhook-recovery', 'exports', 'training'));
