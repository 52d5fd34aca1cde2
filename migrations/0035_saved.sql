-- What people keep to ask again: segments of a site's visits, and reports.

create table site_segments (
  site_id    text not null references sites (id),
  id         uuid not null default attune_uuid_v7(),
  title      text not null,
  -- As it was sent (reports/request.ts Segment, in the form of requests).
  conditions json not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id)
);

create table site_saved_reports (
  site_id    text not null references sites (id),
  id         uuid not null default attune_uuid_v7(),
  title      text not null,
  -- A request as it was sent; without dates where `last_days` stands for them.
  report     json not null,
  -- The period is so many days up to today.
  last_days  integer check (last_days > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id)
);
