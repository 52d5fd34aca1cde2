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
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  primary key (project_id, id)
);

create table deliveries (
  project_id      text not null,
  id              uuid not null default attune_uuid_v7(),
  webhook_id      uuid not null,
  event           text not null check (event in ('item.processed', 'item.failed', 'webhook.test')),
  item_id         text not null,
  -- The `item` object of the request body, as it was when the status changed.
  item            jsonb not null,
  status          text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'dropped')),
  -- Who makes the next attempt: the webhook worker (first), a workflow (retry), nobody (null).
  lane            text default 'first' check (lane in ('first', 'retry')),
  attempt         integer not null default 0,
  leased_until    timestamptz,
  next_attempt_at timestamptz,
  response_status integer,
  error_code      text,
  error           text,
  request_body    text,
  request_id      text,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, webhook_id) references webhooks (project_id, id) on delete cascade
);

-- The first lane claims by webhook, oldest first; ids are UUIDv7, so their order is that of time.
create index deliveries_first_lane on deliveries (project_id, webhook_id, id) where lane = 'first';
-- The breaker looks for a webhook's nearest retry; the reconciler for retries that nobody makes.
create index deliveries_retry_lane on deliveries (project_id, webhook_id, next_attempt_at) where lane = 'retry';
-- The journal: newest first within a webhook.
create index deliveries_journal on deliveries (project_id, webhook_id, created_at desc, id desc);

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
