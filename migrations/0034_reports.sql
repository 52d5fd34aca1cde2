-- What a report reads of a site beside the lake, and how many one client runs at a time.

-- Visits of a site that are open or have changed since they went to the lake.
create index site_visits_fresh on site_visits (site_id, last_hit_at) where lake_batch is null;
-- Those of a batch that is still staged. Batches only grow and hold many visits: one place for each of them in
-- few pages, written once a visit.
create index site_visits_batch on site_visits (lake_batch) where lake_batch is not null;

-- Reports that run, of all API processes. A row is a lease: a process that died frees it by not being there.
-- Unlogged: a crash of PostgreSQL frees all, which lets a few reports more through.
create unlogged table report_slots (
  id         uuid primary key default gen_random_uuid(),
  -- Of an API key or a user.
  key        text not null,
  expires_at timestamptz not null
);
create index report_slots_key on report_slots (key, expires_at);
