-- no transaction
create index concurrently if not exists items_by_title_words on items using gin (title_words(project_id, title)) where available and not deleted and status <> 'failed';
