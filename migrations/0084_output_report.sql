-- Milliseconds from the request to its ranked and judged items; null for what was answered before.
alter table output_snapshots add column latency_ms real;
-- What one project answered in a period: rows are added at its end.
create index output_snapshots_of_project on output_snapshots (project_id, created_at);

-- Impressions that name an answer, by what the answer's id tells. An unknown surface is '', an unknown position bucket
-- -1, no variant ''. Everybody who shows anything wants the same few rows: each request adds to those of one part.
create table output_impressions (
  project_id      text not null,
  day             date not null,
  surface         text not null,
  variant         text not null,
  position_bucket smallint not null,
  part            smallint not null,
  count           bigint not null,
  primary key (project_id, day, surface, variant, position_bucket, part)
)
-- As impression_counts: a new version of a row finds room on its page.
with (fillfactor = 50);
create index output_impressions_age on output_impressions (day);
