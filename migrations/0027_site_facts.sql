-- Conversions and orders of sites: the truth, of which the lake holds copies.

create table site_conversions (
  site_id          text not null,
  -- `api`: the client's own id; `tag`: made of the hit and the goal.
  origin           text not null check (origin in ('api', 'tag')),
  id               text collate "C" not null,
  goal             text not null,
  goal_source      text not null check (goal_source in ('tag', 'api', 'url', 'event')),
  visitor_id       uuid,
  user_id          text collate "C",
  occurred_at      timestamptz not null,
  received_at      timestamptz not null default now(),
  value            numeric,
  weight           smallint not null default 1,
  -- `pending`: hits of the visitor are still being ingested, and one of them may begin its visit.
  attribution      text not null check (attribution in ('pending', 'visit', 'none')),
  visit_id         uuid,
  visit_started_at timestamptz,
  shard            smallint not null,
  lake_batch       bigint,
  primary key (site_id, origin, id),
  check ((attribution = 'visit') = (visit_id is not null))
);
create index site_conversions_visitor on site_conversions (site_id, visitor_id, visit_id);
create index site_conversions_age on site_conversions using brin (received_at) with (autosummarize = on);
create index site_conversions_pending on site_conversions (shard, received_at) where attribution = 'pending';
create index site_conversions_unsettled on site_conversions (shard) where lake_batch is null;

-- A purchase and its refund are two rows: each is counted once.
create table site_orders (
  site_id          text not null,
  transaction_id   text collate "C" not null,
  status           text not null check (status in ('purchased', 'refunded')),
  origin           text not null check (origin in ('api', 'tag')),
  visitor_id       uuid,
  user_id          text collate "C",
  occurred_at      timestamptz not null,
  -- A refund counts in the period in which its request came.
  received_at      timestamptz not null default now(),
  currency         text,
  revenue          numeric,
  products         json,
  promo_code       text,
  -- No earlier purchase of the same person is known.
  is_first         boolean,
  weight           smallint not null default 1,
  attribution      text not null check (attribution in ('pending', 'visit', 'none')),
  visit_id         uuid,
  visit_started_at timestamptz,
  shard            smallint not null,
  lake_batch       bigint,
  primary key (site_id, transaction_id, status),
  check ((attribution = 'visit') = (visit_id is not null))
);
create index site_orders_visitor on site_orders (site_id, visitor_id);
create index site_orders_user on site_orders (site_id, user_id) where user_id is not null;
create index site_orders_age on site_orders using brin (received_at) with (autosummarize = on);
create index site_orders_pending on site_orders (shard, received_at) where attribution = 'pending';
create index site_orders_unsettled on site_orders (shard) where lake_batch is null;
