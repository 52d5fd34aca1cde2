-- no transaction
create index concurrently if not exists events_item on events (project_id, item_id, occurred_at);
