-- no transaction
-- The latest events of a project. New ones are always the last of their project, so the index grows at one end.
create index concurrently if not exists events_received on events (project_id, received_at);
