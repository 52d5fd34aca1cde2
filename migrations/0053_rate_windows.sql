-- Limits that admit so many requests in any so many seconds, whichever API process they come to. Unlogged like the
-- buckets of migration 0017: a crash forgets them, and no request waits for a disk.
create unlogged table rate_windows (
  key     text primary key,
  -- Seconds of the Unix epoch in which requests were admitted, and how many in each.
  slots   bigint[] not null,
  counts  integer[] not null,
  -- When the last of them leaves the window, in seconds of the Unix epoch; one in the past need not be kept.
  ends_at float8 not null,
  -- What the last request was told: 0, or the seconds until another is admitted.
  wait    float8 not null default 0
) with (fillfactor = 50);
