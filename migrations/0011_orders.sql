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

-- The lines that count, those of one item summed: a cancelled order has none. A null price is unknown.
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

-- The orders that one request changed and its workflow has to expand. The type is the purchase type
-- of that moment: what was accepted is expanded, whatever becomes of the project's types meanwhile.
create table order_requests (
  project_id text not null,
  id         uuid not null,
  event_type text not null,
  order_ids  text[] not null,
  primary key (project_id, id)
);

-- The events of an order, so that lines that vanished are found. Only lines of orders have such ids
-- (domain/orders.ts), so other events pay nothing for it.
create index events_of_orders on events (project_id, order_id) where id like 'o:%';
