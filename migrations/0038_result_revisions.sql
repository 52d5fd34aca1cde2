-- Every result says at which revision of its step it was found, so that no result outlives the content
-- that it describes. Moderation is a result of its own.

alter table item_summaries add column revision bigint;
alter table item_transcripts add column revision bigint;
alter table item_frames add column revision bigint;
alter table item_chunks add column revision bigint;

-- `moderation` is null when the step asked and nobody could tell.
create table item_moderations (
  project_id text not null,
  item_id    text not null,
  revision   bigint not null,
  moderation jsonb,
  provenance jsonb,
  primary key (project_id, item_id),
  foreign key (project_id, item_id) references items (project_id, id)
);

-- Whoever stores a result holds the item's lock and has compared the revision with that of the step
-- (db/analysis/fence.ts), so the step's revision is the result's. A trigger sets it, because the release
-- before this one stores results too while it is being replaced, and knows no such column.
create function stamp_revision() returns trigger language plpgsql as $$
begin
  new.revision := (select (i.steps -> tg_argv[0] ->> 'revision')::bigint from items i
                    where i.project_id = new.project_id and i.id = new.item_id);
  return new;
end $$;

create trigger item_summaries_revision before insert or update on item_summaries
  for each row execute function stamp_revision('summary');
create trigger item_moderations_revision before insert or update on item_moderations
  for each row execute function stamp_revision('summary');
create trigger item_transcripts_revision before insert or update on item_transcripts
  for each row execute function stamp_revision('speech');
create trigger item_chunks_revision before insert or update on item_chunks
  for each row execute function stamp_revision('embedding');
-- A frame is made by prepare and described by vision.
create trigger item_frames_prepared before insert on item_frames
  for each row execute function stamp_revision('prepare');
create trigger item_frames_described before update of description on item_frames
  for each row execute function stamp_revision('vision');

-- What a failed step left of older content until now.
delete from item_summaries s using items i
 where i.project_id = s.project_id and i.id = s.item_id and i.steps #>> '{summary,state}' = 'failed';

with stale as (
  delete from item_chunks c using items i
   where i.project_id = c.project_id and i.id = c.item_id and i.steps #>> '{embedding,state}' = 'failed'
  returning c.project_id, c.item_id)
update items i set status = 'failed', updated_at = clock_timestamp()
  from (select distinct project_id, item_id from stale) s
 where i.project_id = s.project_id and i.id = s.item_id and i.status = 'partial';
