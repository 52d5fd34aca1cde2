-- Items that people keep using together with another one, by the weights of the published model
-- (docs/decisions/output-requests.md). They are replaced when the next model is published.
create table item_companions (
  project_id text not null references projects (id),
  item_id    text not null,
  -- The closest first.
  companions text[] not null,
  primary key (project_id, item_id)
);
