-- Whether a person was deleted: then no older model may be kept for an experiment (db/output/models.ts). What the release
-- before notes does not say why, so it counts as a deletion.
alter table output_forgotten add column deleted boolean not null default true;
