-- no transaction
-- Without the time, which changes: a row whose indexed columns stay is updated in place.
create index concurrently if not exists event_states_item on event_states (project_id, item_id);
