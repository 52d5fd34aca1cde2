-- What people did with an item, by day and type of event, for its page in the cabinet. Counted anew from the events of the
-- days that event_changes names, like item_popularity, so it needs no addition that could be made twice or be missed.
create table item_statistics (
  project_id text not null,
  item_id    text not null,
  -- What was counted: event_states, or events.
  of_states  boolean not null,
  -- Days since 1970, in UTC.
  day        integer not null,
  type       text not null,
  events     bigint not null,
  -- A device counts as its user.
  people     bigint not null,
  -- Events that have a value, and the sum of their values.
  valued     bigint not null,
  value_sum  double precision not null,
  -- Price × quantity.
  revenue    double precision not null,
  primary key (project_id, item_id, of_states, day, type)
);
create index item_statistics_age on item_statistics (day);

-- What was there before is counted too, once the processes of the previous release have stopped writing.
insert into event_changes (project_id, first_day, last_day, due_at)
  select id, 0, 2147483647, now() + interval '10 minutes' from projects;
