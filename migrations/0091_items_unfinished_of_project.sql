-- no transaction
create index concurrently if not exists items_unfinished_of_project on items (project_id, updated_at, id) where status in ('queued', 'processing', 'deferred') and not deleted;
