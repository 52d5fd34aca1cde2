-- New analysis of what is stored already: because somebody asked, or because a model changed.

-- What computed each step of a medium: {"speech": "openai/whisper-1", …} (domain/models.ts).
alter table item_media add column models jsonb not null default '{}';

-- The model that each step has as the installation is configured, as it was seen last.
create table step_models (
  step  text primary key check (step in ('prepare', 'speech', 'vision', 'summary', 'embedding')),
  model text not null
);

create table reruns (
  project_id text not null references projects (id),
  id         uuid not null default attune_uuid_v7(),
  reason     text not null check (reason in ('request', 'model')),
  -- {"status", "steps"} of a request; {"models": {step: model}} of a change.
  filter     jsonb not null,
  -- `replaced`: by the rerun of a later change.
  state      text not null default 'running' check (state in ('running', 'done', 'replaced')),
  -- The last item that was looked at; the next page begins behind it.
  position   text not null default '',
  -- A change of models goes round until a round finds nothing (db/reruns.ts).
  round      smallint not null default 1,
  round_done integer not null default 0,
  seen       integer not null default 0,
  done       integer not null default 0,
  request_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, id)
);

create index reruns_running on reruns (project_id) where state = 'running';
