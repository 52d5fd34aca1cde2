-- What each analysis capability said when it was last tried, for the administrators.
create table provider_checks (
  capability text primary key,
  -- Null where the capability is switched off.
  model      text,
  state      text not null check (state in ('works', 'fails', 'builtin', 'off')),
  -- A code of the fault; null unless the state is 'fails'.
  code       text,
  millis     int,
  checked_at timestamptz not null default now()
);

-- An administrator wants them tried now: at most one row, which the first worker that sees it takes.
create table provider_check_requests (
  one          boolean primary key default true check (one),
  requested_at timestamptz not null default now()
);
