-- no transaction
create index concurrently if not exists events_met on events (project_id, identity_id, item_id) include (type, occurred_at);
