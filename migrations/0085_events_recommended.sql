-- no transaction
create index concurrently if not exists events_recommended on events (project_id, occurred_at) where recommendation_id is not null;
