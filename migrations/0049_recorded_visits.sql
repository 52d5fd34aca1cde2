-- Recordings of one visit in several tabs count once: all have the id of the first one. Null before there was any.
alter table site_recordings add column visit_group uuid;
