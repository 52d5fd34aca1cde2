-- Interaction events, by the mode of their type.

-- Facts: a row for each. The history of an identity is read, moved and purged by events_history.
create table events (
  project_id        text not null,
  id                text collate "C" not null,
  identity_id       bigint not null,
  item_id           text not null,
  type              text not null,
  value             double precision,
  occurred_at       timestamptz not null,
  received_at       timestamptz not null default now(),
  recommendation_id text,
  surface           text,
  position          integer,
  order_id          text,
  quantity          double precision,
  price             double precision,
  primary key (project_id, id)
)
-- Histories are counted from the index alone, which needs pages that a vacuum has seen: with the usual
-- fifth of a large table new, most of the latest ones were not.
with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000);

create index events_history on events (project_id, identity_id, occurred_at);

-- `max` and `state`: one row for each identity, item and type, of the event that counts.
create table event_states (
  project_id        text not null,
  identity_id       bigint not null,
  item_id           text not null,
  type              text not null,
  value             double precision not null,
  occurred_at       timestamptz not null,
  received_at       timestamptz not null default now(),
  recommendation_id text,
  surface           text,
  position          integer,
  primary key (project_id, identity_id, item_id, type)
)
with (fillfactor = 80);

-- Impressions are counted and not kept. An unknown surface is '', an unknown position bucket -1.
create table impression_counts (
  project_id      text not null,
  day             date not null,
  item_id         text not null,
  surface         text not null,
  position_bucket smallint not null,
  count           bigint not null,
  primary key (project_id, day, item_id, surface, position_bucket)
)
-- Counters change all the time and none of their columns is indexed beside the key: with room on its
-- page a new version needs no index entry.
with (fillfactor = 50);

-- Ids of events that leave no row of their own (impressions, `max`, `state`), hashed, for deduplication.
create table seen_event_ids (
  project_id text not null,
  id_hash    uuid not null,
  expires_on date not null,
  primary key (project_id, id_hash)
);

create index seen_event_ids_expiry on seen_event_ids (expires_on);

-- What remains of the events of deleted users: sums of items, without identity.
create table item_event_totals (
  project_id text not null,
  item_id    text not null,
  type       text not null,
  events     bigint not null,
  value_sum  double precision not null,
  primary key (project_id, item_id, type)
);
