-- How many more events may be queued for a webhook whose backlog is long. Null far from the limit, where nothing has
-- to be counted; the intake counts it down, the review of the backlogs sets it (db/webhookBacklog.ts).
alter table webhooks add column backlog_room integer;

create index webhooks_backlog_room on webhooks (project_id, id) where backlog_room is not null;
