-- Webhooks and the journal of their deliveries.

create table webhooks (
  project_id       text not null references projects (id),
  id               uuid not null default attune_uuid_v7(),
  url              text not null check (char_length(url) <= 2048),
  events           text[] not null check (cardinality(events) > 0),
  enabled          boolean not null default true,
  -- AES-256-GCM under a key derived from SECRET_KEY (domain/secretKeys.ts).
  secret           bytea not null,
  -- The breaker: failures in a row of the kinds that mean "the address is down", and until when
  -- first attempts are held back.
  failures_in_row  integer not null default 0,
  held_until       timestamptz,
  -- Set while the webhook has too many undelivered events: its new ones are dropped into the journal.
  backlog_since    timestamptz,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  primary key (project_id, id)
);

create index webhooks_backlog on webhooks (project_id, id) where backlog_since is not null;

create table deliveries (
  project_id      text not null,
  id              uuid not null default attune_uuid_v7(),
  webhook_id      uuid not null,
  event           text not null check (event in ('item.processed', 'item.failed', 'webhook.test')),
  item_id         text not null,
  -- The `item` object of the request body, as it was when the status changed. The body of an attempt
  -- follows from it and the attempt's start (domain/webhook.ts), so it is not stored a second time.
  item            jsonb not null,
  status          text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'dropped')),
  -- Who makes the next attempt: the webhook worker in its turn (first) or at once because a person
  -- asked (urgent), a workflow (retry), nobody (null).
  lane            text default 'first' check (lane in ('first', 'urgent', 'retry')),
  attempt         integer not null default 0,
  -- Set while an attempt is under way; its value is the claim, so nobody acts on a lease that passed on.
  leased_until    timestamptz,
  next_attempt_at timestamptz,
  response_status integer,
  error_code      text,
  error           text,
  request_id      text,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, webhook_id) references webhooks (project_id, id) on delete cascade
);

-- Claims go by webhook, oldest first; ids are UUIDv7, so their order is that of time.
create index deliveries_first_lane on deliveries (project_id, webhook_id, id) where lane = 'first';
create index deliveries_urgent_lane on deliveries (project_id, webhook_id, id) where lane = 'urgent';
-- The breaker looks for a webhook's nearest retry; the reconciler for retries that nobody makes.
create index deliveries_retry_lane on deliveries (project_id, webhook_id, next_attempt_at) where lane = 'retry';
-- The journal, newest first within a webhook: all of it (retention reads it from the old end), for one
-- item, what went wrong, and the tests of the last minutes.
create index deliveries_journal on deliveries (project_id, webhook_id, created_at desc, id desc);
create index deliveries_item on deliveries (project_id, item_id);
create index deliveries_undelivered on deliveries (project_id, webhook_id, created_at desc, id desc)
  where status in ('failed', 'dropped');
create index deliveries_tests on deliveries (project_id, created_at) where event = 'webhook.test';

create table delivery_attempts (
  project_id      text not null,
  delivery_id     uuid not null,
  attempt         integer not null,
  started_at      timestamptz not null,
  duration_ms     integer not null,
  response_status integer,
  error_code      text,
  error           text,
  primary key (project_id, delivery_id, attempt),
  foreign key (project_id, delivery_id) references deliveries (project_id, id) on delete cascade
);
