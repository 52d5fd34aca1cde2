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
