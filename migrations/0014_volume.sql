-- How much analysis a project used and has reserved, by month in Moscow; and what waits for more.

-- One row for each project and month, locked for a moment by whoever takes or gives back units.
create table analysis_volume (
  project_id text not null references projects (id),
  month      date not null,
  used       bigint not null default 0 check (used >= 0),
  reserved   bigint not null default 0 check (reserved >= 0),
  primary key (project_id, month)
);

-- The analysis of one subject (a medium, or '' for the text of the item) at one revision, for as long
-- as a step of it is unfinished. The steps that read the same subject share it.
create table volume_reservations (
  project_id text not null,
  item_id    text not null,
  subject    text not null,
  revision   bigint not null,
  -- Whose units they are, whenever the work ends.
  month      date not null,
  units      integer not null check (units > 0),
  -- Counted as used already: a provider has answered.
  settled    boolean not null default false,
  primary key (project_id, item_id, subject, revision)
);

-- What an item waits for, so that those whose turn has come are found among any number of others.
-- `waiting` means that nothing else of it is left to run: no workflow, no reconciler looks at it.
alter table items
  add column waiting_units integer generated always as (greatest(
    case steps #>> '{speech,state}' when 'waiting' then coalesce((steps #>> '{speech,units}')::integer, 1) end,
    case steps #>> '{vision,state}' when 'waiting' then coalesce((steps #>> '{vision,units}')::integer, 1) end,
    case steps #>> '{summary,state}' when 'waiting' then coalesce((steps #>> '{summary,units}')::integer, 1) end,
    case steps #>> '{embedding,state}' when 'waiting' then coalesce((steps #>> '{embedding,units}')::integer, 1) end
  )) stored,
  add column waiting boolean not null generated always as (coalesce(
    'waiting' in (steps #>> '{speech,state}', steps #>> '{vision,state}', steps #>> '{summary,state}', steps #>> '{embedding,state}')
    and not steps @? '$.*.state ? (@ == "running" || @ == "deferred")'
    and not steps @? '$.prepare.state ? (@ == "queued")'
    and not steps @? '$.speech.state ? (@ == "queued")'
    and not steps @? '$.vision.state ? (@ == "queued")'
    -- A queued summary waits itself when what it reads does.
    and (steps #>> '{summary,state}' <> 'queued' or 'waiting' in (steps #>> '{speech,state}', steps #>> '{vision,state}')),
    false)) stored;

drop index items_unfinished;
create index items_unfinished on items (updated_at)
  where status in ('queued', 'processing', 'deferred') and not deleted and not waiting;

create index items_waiting on items (project_id, updated_at, id) include (waiting_units)
  where waiting_units is not null and not deleted;

-- The costs of a month.
create index analysis_usage_month on analysis_usage (project_id, created_at);

-- Whoever raises a volume, by the cabinet or by hand, wakes those who hand it out (db/volume.ts VOLUME_CHANNEL).
create function announce_volume() returns trigger language plpgsql as $$
begin
  perform pg_notify('volume', '');
  return null;
end $$;

create trigger projects_volume after update of monthly_volume on projects for each row
  when (new.monthly_volume is distinct from old.monthly_volume) execute function announce_volume();
