-- What recommendations and searches answered, so that events which name an answer can be explained, pages go on,
-- and nothing is shown twice. A row for each page.
create table output_snapshots (
  project_id   text not null,
  id           text collate "C" not null,
  page         integer not null,
  -- Null for a person who is unknown, or does not want personalization.
  identity_id  bigint,
  -- What was asked for: similar, …
  path         text not null,
  surface      text,
  mode         text not null,
  model        text,
  -- The experiment's id and the number of the variant; null outside an experiment.
  variant      text,
  -- In the order of their positions, which begin with first_position.
  item_ids     text[] not null,
  first_position integer not null,
  -- Of each item its score, and why it was shown: a page that is asked for again is the same.
  scores       real[] not null,
  reasons      jsonb not null,
  -- Another page comes after this one.
  has_next     boolean not null,
  -- The chance with which exploration put each item where it is; null without exploration.
  propensities real[],
  created_at   timestamptz not null default now(),
  primary key (project_id, id, page)
);
-- The oldest rows lie together at its beginning: what has expired is found without a look at anything else.
create index output_snapshots_age on output_snapshots (created_at);
create index output_snapshots_person on output_snapshots (project_id, identity_id, created_at) where identity_id is not null;
