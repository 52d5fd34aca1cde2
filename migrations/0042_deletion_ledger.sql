-- Who was deleted, as keyed hashes, for the replay after the restore of an older backup (domain/deletionLedger.ts).
create table deletion_ledger (
  -- A project or a site.
  tenant_id    text not null,
  kind         text not null check (kind in ('user', 'anonymous', 'fingerprint', 'site-visitor', 'site-user')),
  subject_hash bytea not null check (length(subject_hash) = 32),
  -- What began to be known of the subject until then was deleted.
  deleted_at   timestamptz not null,
  -- When the row was written last: what is new is copied to the blob store.
  noted_at     timestamptz not null default now(),
  primary key (tenant_id, kind, subject_hash)
);
create index deletion_ledger_age on deletion_ledger (deleted_at);
create index deletion_ledger_noted on deletion_ledger (noted_at);
