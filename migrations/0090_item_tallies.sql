-- How many items of a project are in which state, by the hour too: a page that is open asks every few seconds, and
-- to count a million items takes seconds (docs/decisions/pipeline.md).

create table item_tallies (
  project_id text not null,
  -- '' for the item itself: then the state is its status, or 'deleted'.
  step       text not null,
  state      text not null,
  -- Why a step failed, was put off or was skipped; '' without a reason.
  code       text not null,
  items      bigint not null,
  primary key (project_id, step, state, code)
);

-- Items whose analysis began ('queued') or ended (with that status) within an hour.
create table item_hours (
  project_id text not null,
  hour       timestamptz not null,
  status     text not null,
  items      bigint not null,
  primary key (project_id, hour, status)
);
create index item_hours_age on item_hours (hour);

-- What every statement changed, until it is added to the tables above. They are not changed at once, as all writers
-- of a project would then wait for the same rows.
create table item_tally_changes (
  project_id text not null,
  id         bigint not null generated always as identity,
  step       text not null,
  state      text not null,
  code       text not null,
  -- Null: a change of item_tallies.
  hour       timestamptz,
  items      bigint not null,
  primary key (project_id, id)
) with (autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0);

-- Projects whose items from before this migration are not in item_tallies yet.
create table uncounted_projects (
  project_id text primary key
);

-- What one item counts as: its status, and the state of each step.
create function item_tally_keys(status text, deleted boolean, steps jsonb)
  returns table (step text, state text, code text) language sql immutable as $$
  select '', case when deleted then 'deleted' else status end, ''
   union all
  select s.key, s.value ->> 'state',
         case when s.value ->> 'state' in ('failed', 'deferred', 'skipped') then coalesce(s.value #>> '{error,code}', '') else '' end
    from jsonb_each(steps) s where not deleted
$$;

create function tally_new_items() returns trigger language plpgsql as $$
begin
  insert into item_tally_changes (project_id, step, state, code, items)
    select n.project_id, k.step, k.state, k.code, count(*)
      from new_items n cross join lateral item_tally_keys(n.status, n.deleted, n.steps) k group by 1, 2, 3, 4;
  insert into item_tally_changes (project_id, step, state, code, hour, items)
    select project_id, '', 'queued', '', date_trunc('hour', now(), 'UTC'), count(*)
      from new_items where status in ('queued', 'processing', 'deferred') and not deleted group by 1;
  return null;
end $$;

create function tally_changed_items() returns trigger language plpgsql as $$
begin
  insert into item_tally_changes (project_id, step, state, code, items)
    select c.project_id, c.step, c.state, c.code, sum(c.items)
      from (select n.project_id, k.step, k.state, k.code, 1 as items
              from new_items n cross join lateral item_tally_keys(n.status, n.deleted, n.steps) k
             union all
            select o.project_id, k.step, k.state, k.code, -1
              from old_items o cross join lateral item_tally_keys(o.status, o.deleted, o.steps) k) c
     group by 1, 2, 3, 4 having sum(c.items) <> 0;
  insert into item_tally_changes (project_id, step, state, code, hour, items)
    select n.project_id, '', case when n.unfinished then 'queued' else n.status end, '', date_trunc('hour', now(), 'UTC'), count(*)
      from (select *, status in ('queued', 'processing', 'deferred') as unfinished from new_items where not deleted) n
      join (select *, status in ('queued', 'processing', 'deferred') and not deleted as unfinished from old_items) o
        on o.project_id = n.project_id and o.id = n.id
     where n.unfinished <> o.unfinished
     group by 1, 3;
  return null;
end $$;

create function tally_removed_items() returns trigger language plpgsql as $$
begin
  insert into item_tally_changes (project_id, step, state, code, items)
    select o.project_id, k.step, k.state, k.code, -count(*)
      from old_items o cross join lateral item_tally_keys(o.status, o.deleted, o.steps) k group by 1, 2, 3, 4;
  return null;
end $$;

create trigger items_tally_insert after insert on items
  referencing new table as new_items for each statement execute function tally_new_items();
create trigger items_tally_update after update on items
  referencing old table as old_items new table as new_items for each statement execute function tally_changed_items();
create trigger items_tally_delete after delete on items
  referencing old table as old_items for each statement execute function tally_removed_items();

-- After the triggers: whatever is written from now on is noted.
insert into uncounted_projects (project_id) select id from projects;

-- Units of analysis volume by the day in Moscow on which they were used. The month is that of analysis_volume: whoever
-- changes a row here holds the lock of that one, so nobody waits in a circle.
create table analysis_volume_days (
  project_id text not null,
  month      date not null,
  day        date not null,
  used       bigint not null,
  primary key (project_id, month, day)
);

create function note_volume_day() returns trigger language plpgsql as $$
begin
  insert into analysis_volume_days as d (project_id, month, day, used)
    values (new.project_id, new.month, (now() at time zone 'Europe/Moscow')::date, new.used - old.used)
    on conflict (project_id, month, day) do update set used = d.used + excluded.used;
  return null;
end $$;

create trigger analysis_volume_day after update of used on analysis_volume for each row
  when (new.used > old.used) execute function note_volume_day();

-- A rerun that somebody stopped is 'done' as far as the work is concerned.
alter table reruns add column cancelled_at timestamptz;
