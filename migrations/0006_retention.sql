-- What has to be removed some day, and what Temporal will not have.

-- Folders of blobs that nothing names, or nothing may name any more: those of an attempt to prepare a
-- medium before its files are written (the attempt takes its row away when it stores them), and those
-- of media and results that were replaced. Signed links may still lead there until `after`.
create table blob_garbage (
  project_id text not null,
  folder     text not null,
  after      timestamptz not null,
  primary key (project_id, folder)
);

create index blob_garbage_due on blob_garbage (after);

-- Tries that Temporal answered, and not with yes; `attempts` also counts those that met no answer.
alter table outbox add column refusals integer not null default 0;
create index outbox_refused on outbox (id) where refusals > 10;
