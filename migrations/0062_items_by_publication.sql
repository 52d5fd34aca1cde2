-- no transaction
create index concurrently if not exists items_by_publication on items (project_id, published_at desc, id) include (type) where available and not deleted and status <> 'failed';
