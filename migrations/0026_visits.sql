-- From a batch of the tag to visits. Hits end up in the lake; PostgreSQL keeps what is on its way, who
-- the visitors are, and their visits as long as something may still be attributed to them.

-- Batches that were answered with 202 and are not ingested yet.
create table collect_inbox (
  id          bigint generated always as identity primary key,
  -- domain/shards.ts: one ingest loop a shard at a time.
  shard       smallint not null,
  site_id     text not null,
  visitor_id  uuid not null,
  received_at timestamptz not null,
  ip          text not null,
  user_agent  text not null,
  -- domain/collected.ts CollectedBatch.
  batch       json not null,
  -- What others ask of a batch without reading it (db/siteFacts/waiting.ts). Users whom its events name; null: none.
  user_ids    text[] collate "C",
  -- Its earliest event; null: as it was received.
  first_at    timestamptz
);
create index collect_inbox_shard on collect_inbox (shard, id);
create index collect_inbox_visitor on collect_inbox (site_id, visitor_id, received_at);
-- Of batches with a login alone. Not gathered in a pending list, which each look-up would read.
create index collect_inbox_users on collect_inbox using gin (user_ids) with (fastupdate = off) where user_ids is not null;

-- Batches that could not be ingested for a fault of ours: kept for a person to look at, out of the way of the others.
create table collect_failed (
  id          bigint primary key,
  shard       smallint not null,
  site_id     text not null,
  visitor_id  uuid not null,
  received_at timestamptz not null,
  ip          text not null,
  user_agent  text not null,
  batch       json not null,
  error       text not null,
  failed_at   timestamptz not null default now()
);
-- For deletions: after a fault of ours it may hold all that came for days.
create index collect_failed_visitor on collect_failed (site_id, visitor_id);

-- Events of the last day or so, by which a repeat is known.
create table collected_events (
  site_id text not null,
  -- UUID made of visitor and event id; it is the hit's id as well.
  key     uuid not null,
  seen_at timestamptz not null,
  primary key (site_id, key)
);
-- A block range index would cost nothing here, and find nothing: rows of all ages come to share the pages
-- that removed ones leave. This one has 7 bytes a row, for those of one transaction are alike.
create index collected_events_seen on collected_events (seen_at);

create table site_visitors (
  site_id        text not null,
  visitor_id     uuid not null,
  -- The user of the site that the visitor is linked to.
  user_id        text collate "C",
  -- Of its visits; null and 0 while its first hits are being ingested.
  first_visit_at timestamptz,
  last_visit_at  timestamptz,
  visits         integer not null default 0,
  -- domain/visits: what the rules have to remember of a visitor.
  state          json,
  created_at     timestamptz not null default now(),
  primary key (site_id, visitor_id)
);
create index site_visitors_user on site_visitors (site_id, user_id) where user_id is not null;
-- For retention (db/sitePeople/retain.ts). Never changed, so that updates of a row stay on its page; the last
-- visit changes with every batch.
create index site_visitors_created on site_visitors (created_at);

-- Visits, open and closed, for half a year: conversions and orders are attributed to them, late hits change them.
create table site_visits (
  site_id     text not null,
  visitor_id  uuid not null,
  visit_id    uuid not null,
  shard       smallint not null,
  started_at  timestamptz not null,
  last_hit_at timestamptz not null,
  -- Its conversions, of the tag and of the API (site_conversions); the row in `state` knows nothing of them.
  goals       integer not null default 0,
  -- The batch that carried it to the lake as it is now; null while it is open or has changed since.
  lake_batch  bigint,
  -- domain/lakeRows.ts VisitRow, and what the rules have to remember.
  state       json not null,
  primary key (site_id, visitor_id, visit_id)
);
create index site_visits_time on site_visits (site_id, visitor_id, started_at desc);
-- For retention: one entry a visit, made when it is settled. Rows are written anew with each hit, so that
-- blocks hold visits of all ages and a block range index would find nothing.
create index site_visits_age on site_visits (last_hit_at) where lake_batch is not null;
create index site_visits_unsettled on site_visits (shard, last_hit_at) where lake_batch is null;

-- Hits of a site by its day in Moscow, for the quota.
create table site_days (
  site_id text not null,
  day     date not null,
  hits    bigint not null default 0,
  primary key (site_id, day)
);

-- On the way to the lake: written in the transaction that consumes the inbox, deleted once the lake has
-- them. The lake itself knows the last batch of each shard that it holds.
create table lake_batches (
  shard      smallint not null,
  batch_id   bigint not null,
  -- A table of the lake.
  table_name text not null,
  row_count  integer not null,
  -- A JSON array of that table's rows (domain/lakeRows.ts).
  rows       text not null,
  staged_at  timestamptz not null default now(),
  primary key (shard, batch_id, table_name)
);
create sequence lake_batch_ids;
