-- no transaction
create index concurrently if not exists orders_unexpanded on orders (project_id, identity_id) where expanded_revision < revision;
