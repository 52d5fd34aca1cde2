-- Buckets of the rate limits, shared by the API processes when RATE_LIMITS=postgres, and always those
-- of the cabinet's login. Unlogged: a crash empties them, which lets a few requests more through, and
-- no request waits for a disk. Room in the pages and no second index keep an update where its row is.
create unlogged table rate_buckets (
  key     text primary key,
  -- When the bucket is full again, in seconds of the Unix epoch; one in the past need not be kept.
  full_at float8 not null,
  -- What the last request was told: 0, or the seconds until a token is there.
  wait    float8 not null default 0
) with (fillfactor = 50);
