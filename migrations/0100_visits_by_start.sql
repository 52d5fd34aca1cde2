-- no transaction
create index concurrently if not exists site_visits_started on site_visits (site_id, started_at desc, visit_id desc);
