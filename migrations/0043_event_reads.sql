-- What the cabinet shows of events (GET /projects/{id}/events).

-- Events that were rejected within the last day, as they were sent; what could not be stored of one is null.
create table event_rejections (
  project_id   text not null,
  id           bigint not null generated always as identity,
  received_at  timestamptz not null default now(),
  code         text not null,
  event_id     text,
  type         text,
  item_id      text,
  user_id      text,
  anonymous_id text,
  fingerprint  uuid,
  primary key (project_id, id)
);
create index event_rejections_age on event_rejections (received_at);
