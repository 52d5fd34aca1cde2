-- What recommendations are like at one place of a site: what its requests mean when they do not say otherwise.
create table output_surfaces (
  project_id    text not null references projects (id),
  -- As requests and events name it.
  name          text collate "C" not null,
  -- Fields of a request, each as the content API takes it.
  defaults      jsonb not null,
  boosts        jsonb not null,
  pins          jsonb not null,
  -- The experiment that is on it now or will be, in output_experiments.
  experiment_id text,
  updated_at    timestamptz not null default now(),
  primary key (project_id, name)
);

-- Experiments, those that a surface has no more too: what was answered under them is still reported.
create table output_experiments (
  project_id  text not null references projects (id),
  id          text collate "C" not null,
  surface     text not null,
  starts_at   timestamptz not null,
  -- Null: until it is taken off.
  ends_at     timestamptz,
  -- [{name, share, settings}]; a variant keeps its place, by which ids of answers name it.
  variants    jsonb not null,
  -- When shares or settings were changed last: what was answered before cannot be compared with them.
  changed_at  timestamptz not null default now(),
  -- Since when no surface has it; null while one does.
  detached_at timestamptz,
  primary key (project_id, id)
);
create index output_experiments_detached on output_experiments (detached_at) where detached_at is not null;
