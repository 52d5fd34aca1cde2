-- What has changed of people's events, so that what is counted of them is counted anew: written in the transaction
-- that changes them, removed once it was counted. Exactly one of the lists is set, or neither: then it is about all
-- items of the project, in the order of their ids, from after_item on.
create table event_changes (
  project_id   text not null,
  id           bigint not null generated always as identity,
  item_ids     text[],
  identity_ids bigint[],
  after_item   text,
  -- About rows of event_states, whose days change with them, and not of events.
  of_states    boolean not null default false,
  -- Days since 1970, in UTC, on which the events were or are.
  first_day    integer not null,
  last_day     integer not null,
  due_at       timestamptz not null default now(),
  primary key (project_id, id)
);
create index event_changes_due on event_changes (due_at);

-- How popular an item is with the people of a day, by item, region and day; what nobody touched has no row.
create table item_popularity (
  project_id text not null,
  item_id    text not null,
  -- '' is everybody's; others are keys of cities and countries (dictionaries/regions.ts).
  region     text collate "C" not null,
  -- Days since 1970, in UTC.
  day        integer not null,
  -- What was counted: event_states, or events.
  of_states  boolean not null,
  -- The sum over the day's people of the weight of what each did that tells most.
  score      real not null,
  primary key (project_id, item_id, of_states, region, day)
);
create index item_popularity_best on item_popularity (project_id, region, day, score desc) include (item_id);
create index item_popularity_age on item_popularity (day);

-- When a count of an item has changed last, by a number that only grows: what follows the counts goes on from it.
create table popularity_versions (
  project_id text not null,
  item_id    text not null,
  version    bigint not null,
  primary key (project_id, item_id)
);
create index popularity_versions_latest on popularity_versions (project_id, version);
create sequence popularity_version;

-- What was there before is counted too, once the processes of the previous release have stopped writing.
insert into event_changes (project_id, first_day, last_day, due_at)
  select id, 0, 2147483647, now() + interval '10 minutes' from projects;
