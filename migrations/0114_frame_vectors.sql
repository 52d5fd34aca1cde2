-- The vectors of single frames of a video, one byte a number, by which a search tells apart the frames that share a vector
-- of meaning. Null for everything else, and for items that were analysed before.
alter table item_chunks add column frame_vector bytea;
