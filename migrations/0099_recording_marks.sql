-- What a recording shows and when, taken from its chunks as they come: for the list, the filters and the player.

-- JSON: {"from": the first event, "marks": [{"at", "type", "text"}]}, times in epoch milliseconds by the device's clock. Null: the
-- chunk came before there were marks, or was too large to be read.
alter table site_recording_chunks add column marks json;
-- Different addresses in the order in which they were seen, 100 at most.
alter table site_recordings add column pages text[];
alter table site_recordings add column clicks integer not null default 0;
alter table site_recordings add column errors integer not null default 0;
