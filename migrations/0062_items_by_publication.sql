-- no transaction
create index concurrently if not exists items_by_publication on items (project_id, published_at desc, id) where available and not deleted;
