-- What deleted people drew in the samples of experiments (0112). An answer from before a deletion may be stored a moment
-- after it, so the samples are searched again ten minutes later; then these rows are removed too.
create table forgotten_lots (
  project_id   text not null,
  experiment   text collate "C" not null,
  slot         smallint not null,
  mark         bigint not null,
  forgotten_at timestamptz not null default now()
);
