-- no transaction
create index concurrently if not exists items_by_author on items (project_id, author, published_at desc, id) where available and not deleted and status <> 'failed';
