-- The journal at ten million rows (docs/decisions/journal.md).

-- The deliveries of each event and status in the order of time: whatever a filter admits is merged
-- from a few of these runs, and none is read through for what it rarely holds.
drop index deliveries_journal;
create index deliveries_journal on deliveries (project_id, webhook_id, event, status, created_at, id);
drop index deliveries_item;
create index deliveries_item on deliveries (project_id, webhook_id, item_id, event, status, created_at, id);
-- Only failures are in these, so only failures pay for them.
create index deliveries_error on deliveries (project_id, webhook_id, error_code, event, status, created_at, id)
  where error_code is not null;
create index deliveries_item_error on deliveries (project_id, webhook_id, item_id, error_code, event, status, created_at, id)
  where error_code is not null;

-- A delivery is written three times: when it is recorded, claimed and settled. With half of a page
-- free the claim's version finds room beside the first one and needs no entry in any index.
-- Queues leave dead entries at one end of their indexes: every claim and every page of the journal
-- steps over them until a vacuum, which by the usual fifth of ten million rows would come after two
-- million deliveries, and which leaves indexes alone while few pages have dead rows.
alter table deliveries set (
  fillfactor = 50,
  autovacuum_vacuum_threshold = 50000, autovacuum_vacuum_scale_factor = 0.005, vacuum_index_cleanup = on);

-- A deleted webhook is gone for everybody at once; its row stays until its journal has been removed,
-- which for millions of deliveries takes minutes. It subscribes to nothing any more.
alter table webhooks add column deleted_at timestamptz;
alter table webhooks drop constraint webhooks_events_check;
alter table webhooks add constraint webhooks_events_check check (cardinality(events) > 0 or deleted_at is not null);
create index webhooks_deleted on webhooks (project_id, id) where deleted_at is not null;
