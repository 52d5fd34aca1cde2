-- Users of sites whose every trace is to go; a row is here until that is done. Their visitors go as visitors do.
create table user_deletions (
  site_id      text not null,
  -- The site's own id of a user.
  user_id      text collate "C" not null,
  requested_at timestamptz not null default now(),
  -- The run of the workflow that has it in hand; asked for again, it is for the next run.
  run_id       text,
  claimed_at   timestamptz,
  primary key (site_id, user_id)
);

-- As orders have it: what names a user is found by that name.
create index site_conversions_user on site_conversions (site_id, user_id) where user_id is not null;
