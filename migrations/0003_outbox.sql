-- Work for Temporal, written in the transaction that asks for it and handed over by the relay.

create table outbox (
  id           bigint generated always as identity primary key,
  kind         text not null check (kind in ('item', 'delivery')),
  project_id   text not null,
  -- The item's own id, or the delivery's.
  entity_id    text not null,
  -- A bulk load waits behind single writes (domain/queues.ts PRIORITY).
  priority     smallint not null,
  request_id   text,
  attempts     integer not null default 0,
  created_at   timestamptz not null default now(),
  available_at timestamptz not null default now()
);

create index outbox_claim on outbox (priority, id);

-- What the long-running processes say of themselves, so that the API can answer /health without
-- asking Temporal.
create table service_reports (
  service    text primary key,
  report     jsonb not null,
  updated_at timestamptz not null default now()
);
