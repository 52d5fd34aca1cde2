-- What kinds of interaction a project knows, and which properties of items it filters by.

create table event_types (
  project_id            text not null references projects (id),
  code                  text not null check (char_length(code) between 1 and 64),
  title                 text not null,
  mode                  text not null check (mode in ('fact', 'max', 'state')),
  weight                double precision not null,
  value_kind            text not null check (value_kind in ('none', 'number', 'percent', 'watch_seconds')),
  -- Thresholds of the engagement multiplier: {"25": 0.3, …}.
  value_map             jsonb,
  dedup_window_sec      integer not null default 0 check (dedup_window_sec >= 0),
  suppress_similar_days integer not null default 0 check (suppress_similar_days >= 0),
  is_impression         boolean not null default false,
  is_open               boolean not null default false,
  is_goal               boolean not null default false,
  is_purchase           boolean not null default false,
  hides_item            boolean not null default false,
  is_active             boolean not null default true,
  -- Set with the first event: how events of the type are kept does not change any more.
  in_use                boolean not null default false,
  primary key (project_id, code)
);

-- Orders expand into events of the purchase type, so there is one at most.
create unique index event_types_purchase on event_types (project_id) where is_purchase;

create table item_properties (
  project_id text not null references projects (id),
  name       text not null check (char_length(name) between 1 and 191),
  type       text not null check (type in ('string', 'number', 'boolean', 'datetime', 'string_array')),
  filterable boolean not null default false,
  primary key (project_id, name)
);

-- Projects from before event types get those of a new project (domain/eventTypes.ts).
insert into event_types (project_id, code, title, mode, weight, value_kind, value_map, is_impression, is_open, is_goal, is_purchase, hides_item)
select p.id, t.* from projects p cross join (values
  ('impression', 'Показ', 'fact', 0, 'none', null::jsonb, true, false, false, false, false),
  ('open', 'Открытие', 'fact', 1, 'none', null, false, true, false, false, false),
  ('view', 'Просмотр', 'max', 1, 'percent', '{"0": 0.1, "25": 0.5, "50": 1, "75": 1.5, "95": 2}', false, false, false, false, false),
  ('watch', 'Время просмотра', 'max', 1, 'watch_seconds', '{"0": 0.1, "30": 0.5, "120": 1, "600": 2}', false, false, false, false, false),
  ('like', 'Нравится', 'state', 3, 'none', null, false, false, false, false, false),
  ('dislike', 'Не нравится', 'state', -4, 'none', null, false, false, false, false, false),
  ('favourite', 'В избранном', 'state', 4, 'none', null, false, false, false, false, false),
  ('share', 'Поделились', 'fact', 4, 'none', null, false, false, false, false, false),
  ('comment', 'Комментарий', 'fact', 3, 'none', null, false, false, false, false, false),
  ('hide', 'Скрыто', 'state', -6, 'none', null, false, false, false, false, true),
  ('cart', 'В корзине', 'fact', 4, 'none', null, false, false, false, false, false),
  ('purchase', 'Покупка', 'fact', 8, 'number', null, false, false, true, true, false)
) as t;
