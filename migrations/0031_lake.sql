-- The lake's side in PostgreSQL: what ties a commit of the lake to the batches it takes, what could not
-- go in, and which visitors are to be deleted.

-- Versions of the lake's tables (reports/lake/schema.ts).
create table lake_versions (
  version    integer primary key,
  applied_at timestamptz not null default now()
);

-- DuckLake commits by writing its catalogue, which is here. Whoever puts staged batches into the lake names
-- them in that commit, and in the same transaction they are taken away: both happen or neither. A second
-- writer of a batch, however late, finds it gone, and its commit fails as a whole.
create function take_lake_batches() returns trigger language plpgsql set search_path from current as $$
declare
  named integer;
  taken integer;
begin
  if new.author is distinct from 'attune' then
    return null;
  end if;
  -- What it was judged by may have been forgotten since (domain/schedules.ts SNAPSHOT_MINUTES).
  if extract(epoch from clock_timestamp()) - (new.commit_extra_info::jsonb ->> 'begun')::float8 > 600 then
    raise exception 'begun too long ago';
  end if;
  if new.commit_message <> 'ingest' then
    return null;
  end if;
  with listed as (
    select distinct (pair ->> 0)::smallint as shard, (pair ->> 1)::bigint as batch_id
    from jsonb_array_elements(new.commit_extra_info::jsonb -> 'batches') pair
  ), gone as (
    delete from lake_batches using listed
    where lake_batches.shard = listed.shard and lake_batches.batch_id = listed.batch_id
    returning lake_batches.shard, lake_batches.batch_id
  )
  select (select count(*) from listed), (select count(*) from (select distinct shard, batch_id from gone) pairs) into named, taken;
  if named <> taken then
    raise exception 'staged batches are gone: % of % are there', taken, named;
  end if;
  return null;
end
$$;

-- Rows that the lake cannot hold, for a person to look at.
create table lake_failed (
  id         bigint generated always as identity primary key,
  site_id    text,
  visitor_id text,
  batch_id   bigint not null,
  table_name text not null,
  row        text not null,
  error      text not null,
  failed_at  timestamptz not null default now()
);
create index lake_failed_visitor on lake_failed (site_id, visitor_id);

-- Visitors whose every trace is to go; a row is here until that is done.
create table visitor_deletions (
  site_id      text not null,
  visitor_id   uuid not null,
  requested_at timestamptz not null default now(),
  -- The run of the workflow that has it in hand; asked for again, it is for the next run.
  run_id       text,
  claimed_at   timestamptz,
  primary key (site_id, visitor_id)
);

-- For whoever watches how old what is staged is.
create index lake_batches_staged on lake_batches (staged_at);
