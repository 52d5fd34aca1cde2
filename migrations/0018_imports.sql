-- Files of items to be written, read chunk by chunk (docs/decisions/imports.md).
create table imports (
  project_id  text not null references projects (id),
  id          uuid not null,
  state       text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  format      text not null check (format in ('jsonl', 'csv')),
  -- domain/imports.ts CsvLayout, once the head of a CSV file has been read.
  layout      jsonb,
  blob_key    text not null,
  bytes       bigint not null check (bytes > 0),
  -- What is behind: so many bytes, and the number of the line that comes next.
  next_offset bigint not null default 0,
  next_line   bigint not null default 1,
  done        bigint not null default 0,
  failed      bigint not null default 0,
  request_id  text,
  created_at  timestamptz not null default now(),
  finished_at timestamptz,
  primary key (project_id, id)
);

-- The first of them only; `failed` counts all.
create table import_errors (
  project_id text not null,
  import_id  uuid not null,
  line       bigint not null,
  item_id    text,
  code       text not null,
  -- domain/imports.ts ImportFault.
  faults     jsonb not null,
  primary key (project_id, import_id, line),
  foreign key (project_id, import_id) references imports (project_id, id) on delete cascade
);
