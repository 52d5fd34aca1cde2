-- Recordings of sessions: one of a visit in a tab. Their chunks are blobs; what is known of them is here.

create table site_recordings (
  site_id          text not null,
  -- Made by the tag.
  recording_id     uuid not null,
  -- Null once it is removed.
  visitor_id       uuid,
  -- Of the first chunk's receipt, in Moscow: the day in whose quota it is.
  day              date not null,
  created_at       timestamptz not null default now(),
  last_received_at timestamptz not null default now(),
  -- Of what is recorded, the device's clock error taken off; null until a chunk is stored.
  started_at       timestamptz,
  ended_at         timestamptz,
  chunks           integer not null default 0,
  events           bigint not null default 0,
  bytes            bigint not null default 0,
  user_agent       text,
  -- It lasts 5 s or more: then it is one of the quota.
  is_counted       boolean not null default false,
  is_favourite     boolean not null default false,
  -- Removed: it stays for a day, so that a chunk that is still on its way does not begin it anew.
  deleted_at       timestamptz,
  primary key (site_id, recording_id),
  check ((visitor_id is null) = (deleted_at is not null))
);
create index site_recordings_list on site_recordings (site_id, created_at, recording_id) where deleted_at is null;
create index site_recordings_visitor on site_recordings (site_id, visitor_id, created_at) where deleted_at is null;
create index site_recordings_favourites on site_recordings (site_id, created_at, recording_id) where is_favourite and deleted_at is null;
create index site_recordings_day on site_recordings (site_id, day);
create index site_recordings_deleted on site_recordings (deleted_at) where deleted_at is not null;

create table site_recording_chunks (
  site_id      text not null,
  recording_id uuid not null,
  seq          integer not null,
  started_at   timestamptz not null,
  ended_at     timestamptz not null,
  events       integer not null,
  bytes        integer not null,
  blob_key     text not null,
  primary key (site_id, recording_id, seq),
  foreign key (site_id, recording_id) references site_recordings (site_id, recording_id)
);
