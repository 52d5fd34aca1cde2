-- Which rows of event_states were written within the last hour, for whoever watches events come: a row for each
-- transaction. An index of event_states by time would do as well, and end the updates in place that its many changes
-- live by. Unlogged: a crash forgets an hour of what is only looked at.
create unlogged table recent_states (
  project_id   text not null,
  received_at  timestamptz not null default now(),
  -- Of the same length.
  identity_ids bigint[] not null,
  item_ids     text[] not null,
  types        text[] not null
);
create index recent_states_project on recent_states (project_id, received_at);
create index recent_states_age on recent_states using brin (received_at) with (autosummarize = on);
