-- Orders as they were sent last. A workflow expands them into events of the purchase type.

create table orders (
  project_id        text not null,
  order_id          text collate "C" not null,
  identity_id       bigint not null,
  occurred_at       timestamptz not null,
  status            text not null check (status in ('created', 'cancelled')),
  -- Grows with every change; an expansion of an older one is a no-op.
  revision          bigint not null,
  -- The revision that the events show.
  expanded_revision bigint not null default 0,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  primary key (project_id, order_id)
);

create index orders_history on orders (project_id, identity_id);

-- Lines of one item are summed already; null is an unknown price.
create table order_lines (
  project_id text not null,
  order_id   text collate "C" not null,
  item_id    text not null,
  quantity   double precision not null,
  price      double precision,
  properties jsonb,
  primary key (project_id, order_id, item_id),
  foreign key (project_id, order_id) references orders (project_id, order_id) on delete cascade
);

-- The orders that one request wrote and its workflow has to expand.
create table order_requests (
  project_id text not null,
  id         uuid not null,
  order_ids  text[] not null,
  primary key (project_id, id)
);
