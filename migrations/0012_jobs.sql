-- Work that a workflow does once and is then over: orders to expand, a user to link or delete, a file
-- to import, items to analyse again. A row lives from the transaction that asks for the work to the
-- one that ends it, so whatever is lost on the way is found again (relay/reconcile.ts).
create table jobs (
  project_id text not null references projects (id),
  kind       text not null check (kind in ('orders', 'user-link', 'user-delete', 'import', 'rerun')),
  -- What the work is about, in the terms of its own table.
  entity_id  text not null,
  priority   smallint not null,
  request_id text,
  created_at timestamptz not null default now(),
  primary key (project_id, kind, entity_id)
);

create index jobs_age on jobs (created_at, project_id, kind, entity_id);

-- Claims take turns by project (db/outbox.ts).
drop index outbox_claim;
create index outbox_claim on outbox (priority, project_id, id);

alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('item', 'delivery', 'orders', 'user-link', 'user-delete', 'import', 'rerun'));
