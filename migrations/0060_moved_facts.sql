-- When a purchase or refund counts that the tag told first, by the site's server: this time takes the place of the
-- tag's, by which the lake may have an older row. Null: nobody told another time.
alter table site_orders add column server_at timestamptz;
alter table site_conversions add column server_at timestamptz;

-- Visits that lost a conversion to another one: their conversions are to be counted anew.
create table site_recounts (
  site_id    text not null,
  visitor_id uuid not null,
  visit_id   uuid not null,
  shard      smallint not null,
  primary key (site_id, visitor_id, visit_id)
);
create index site_recounts_shard on site_recounts (shard);
