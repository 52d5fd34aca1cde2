-- A sample of the people who were answered under an experiment, by which its report tests the sample ratio. Each
-- person draws a slot and a mark by a hash; a slot keeps the smallest mark and its variant, however often people come.
create table experiment_people (
  project_id text not null,
  experiment text collate "C" not null,
  -- changed_at of the experiment: a change of shares or settings begins a new sample.
  since      timestamptz not null,
  slot       smallint not null,
  mark       bigint not null,
  variant    smallint not null,
  primary key (project_id, experiment, since, slot)
);
