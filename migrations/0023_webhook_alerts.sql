-- Webhooks that fail for long, and how the workers of webhooks share the requests to one.

-- Start of the first failed attempt since the last 2xx, whatever it failed with; null while it answers.
alter table webhooks add column failing_since timestamptz;

create index webhooks_failing on webhooks (failing_since) where failing_since is not null;

-- The running workers (db/webhookWorkers.ts). The sum of `slots` is the most requests to one webhook.
create table webhook_workers (
  id             uuid primary key,
  slots          integer not null check (slots >= 0),
  -- The session that renews the row: when it is gone, so is the worker, or it has lost its way here.
  backend_pid    integer not null,
  backend_start  timestamptz not null,
  renewed_at     timestamptz not null
) with (fillfactor = 50);
