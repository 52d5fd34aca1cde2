-- Reports as files: the queue of each site, and what has been made (docs/decisions/reports-exports.md).
create table report_exports (
  site_id     text not null references sites (id),
  id          uuid not null default attune_uuid_v7(),
  state       text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  format      text not null check (format in ('csv', 'xlsx')),
  -- reports/request.ts ReportRequest, its segment written out: what is exported is what was asked for.
  report      jsonb not null,
  -- Whom to tell; null when nobody is.
  user_id     uuid references users (id) on delete set null,
  mail        text not null default 'none' check (mail in ('none', 'waiting', 'sent', 'failed')),
  attempts    integer not null default 0,
  -- 0 to 1.
  progress    real not null default 0,
  rows        integer,
  sampled     boolean,
  error       text,
  blob_key    text,
  request_id  text,
  created_at  timestamptz not null default now(),
  finished_at timestamptz,
  -- Of the file and the link.
  expires_at  timestamptz,
  primary key (site_id, id),
  check ((state in ('done', 'failed')) = (finished_at is not null)),
  check ((state = 'done') = (blob_key is not null and expires_at is not null and rows is not null and sampled is not null)),
  check ((state = 'failed') = (error is not null))
);

-- One at a time.
create unique index report_exports_running on report_exports (site_id) where state = 'running';
-- What a workflow still has to do something for.
create index report_exports_open on report_exports (site_id, id) where state in ('queued', 'running') or mail = 'waiting';
create index report_exports_age on report_exports (created_at);
create index report_exports_user on report_exports (user_id) where user_id is not null;

alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('item', 'delivery', 'orders', 'user-link', 'user-delete', 'import', 'rerun', 'webhook-recovery', 'exports'));
