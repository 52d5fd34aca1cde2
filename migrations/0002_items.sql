-- Catalogue items, their media, and what the analysis found.

create table items (
  project_id   text not null references projects (id),
  id           text not null check (char_length(id) between 1 and 191),
  type         text not null check (type in ('video', 'image', 'audio', 'text', 'mixed')),
  title        text,
  description  text,
  body         text,
  author       text,
  url          text,
  published_at timestamptz not null,
  properties   jsonb,
  origin       text not null check (origin in ('api', 'import', 'order')),
  available    boolean not null,
  deleted      boolean not null default false,
  -- Grows with every write that outdates a step: the fence of analysis results (domain/glossary.ts).
  revision     bigint not null,
  status       text not null check (status in ('queued', 'processing', 'ready', 'partial', 'failed', 'deferred')),
  -- domain/steps.ts StepRecords.
  steps        jsonb not null,
  -- The request that asked for the analysis that runs, for the logs.
  request_id   text,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (project_id, id)
);

-- The reconciler and the queue depth read only what is unfinished, which is a small part.
create index items_unfinished on items (updated_at)
  where status in ('queued', 'processing', 'deferred') and not deleted;

create table item_media (
  project_id    text not null,
  item_id       text not null,
  medium_id     uuid not null,
  position      integer not null,
  kind          text not null check (kind in ('video', 'audio', 'image')),
  url           text not null,
  version       text,
  status        text not null default 'new' check (status in ('new', 'ready', 'failed')),
  duration_sec  double precision,
  width         integer,
  height        integer,
  truncated     boolean not null default false,
  audio_key     text,
  subtitles_key text,
  -- What each step still owes this medium; {"code", "message"} of a failure is in errors.
  prepare       text not null default 'todo' check (prepare in ('todo', 'done', 'failed')),
  speech        text not null default 'todo' check (speech in ('todo', 'done', 'skipped', 'failed')),
  vision        text not null default 'todo' check (vision in ('todo', 'done', 'skipped', 'failed')),
  errors        jsonb not null default '{}',
  primary key (project_id, item_id, medium_id),
  foreign key (project_id, item_id) references items (project_id, id)
);

create table item_frames (
  project_id      text not null,
  item_id         text not null,
  medium_id       uuid not null,
  ts              double precision not null,
  blob_key        text not null,
  duplicate_of_ts double precision,
  flat            boolean not null default false,
  description     text,
  ocr_text        text,
  tags            text[],
  safety          jsonb,
  provenance      jsonb,
  primary key (project_id, item_id, medium_id, ts),
  foreign key (project_id, item_id, medium_id) references item_media on delete cascade
);

create table item_transcripts (
  project_id text not null,
  item_id    text not null,
  medium_id  uuid not null,
  language   text,
  timestamps text not null check (timestamps in ('model', 'estimated')),
  text       text not null,
  segments   jsonb not null,
  provenance jsonb not null,
  primary key (project_id, item_id, medium_id),
  foreign key (project_id, item_id, medium_id) references item_media on delete cascade
);

create table item_summaries (
  project_id text not null,
  item_id    text not null,
  -- SummaryOut of the content API, moderation included.
  summary    jsonb not null,
  provenance jsonb not null,
  primary key (project_id, item_id),
  foreign key (project_id, item_id) references items (project_id, id)
);

create table item_chunks (
  project_id text not null,
  item_id    text not null,
  ordinal    integer not null,
  medium_id  uuid,
  start_sec  double precision,
  end_sec    double precision,
  text       text not null,
  -- float32, little-endian, L2-normalised; its model decides which vectors may be compared.
  vector     bytea not null,
  model      text not null,
  primary key (project_id, item_id, ordinal),
  foreign key (project_id, item_id) references items (project_id, id)
);

-- What every provider call cost; unknown is null, not 0.
create table analysis_usage (
  project_id    text not null,
  id            uuid not null default attune_uuid_v7(),
  item_id       text not null,
  step          text not null,
  provider      text not null,
  model         text not null,
  input_tokens  bigint,
  output_tokens bigint,
  audio_seconds double precision,
  images        integer,
  created_at    timestamptz not null default now(),
  primary key (project_id, id)
);
