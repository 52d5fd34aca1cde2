-- What the delivery worker needs beside the first sketch of the journal.

-- A third lane: attempts that a person asked for (tests, resends) go ahead of the others, held or not.
alter table deliveries drop constraint deliveries_lane_check;
alter table deliveries add constraint deliveries_lane_check check (lane in ('first', 'urgent', 'retry'));
create index deliveries_urgent_lane on deliveries (id) where lane = 'urgent';

-- The body of an attempt follows from `item` and the attempt's start (domain/webhook.ts), so it is
-- not stored a second time.
alter table deliveries drop column request_body;

-- Set while the webhook has too many undelivered events: its new ones are dropped into the journal.
alter table webhooks add column backlog_since timestamptz;

-- The journal asked for one item, for what went wrong, and for the tests of the last minutes.
create index deliveries_item on deliveries (project_id, item_id);
create index deliveries_undelivered on deliveries (project_id, webhook_id, created_at desc, id desc)
  where status in ('failed', 'dropped');
create index deliveries_tests on deliveries (project_id, created_at) where event = 'webhook.test';

-- Retention reads by age only; rows lie in the order of their age, so block ranges are enough.
create index deliveries_age on deliveries using brin (created_at) with (pages_per_range = 32);
