-- Paid answers of a step that is not over, such as the pieces of a long transcript: what one attempt
-- bought, the next one finds. Gone with the end of the step.
create table analysis_drafts (
  project_id text not null,
  item_id    text not null,
  step       text not null,
  revision   bigint not null,
  -- The medium, or '' for what concerns the whole item.
  subject    text not null,
  part       text not null,
  value      jsonb not null,
  primary key (project_id, item_id, step, subject, revision, part),
  foreign key (project_id, item_id) references items (project_id, id)
);
