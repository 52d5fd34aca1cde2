-- How many bytes of recordings came in a Moscow day, of a site and of each address: the tag's key is public, so what
-- strangers send must have an end. Unlogged: after a crash a day begins anew.
create unlogged table recording_bytes (
  site_id text not null,
  day     date not null,
  -- Empty for the whole site, else a keyed hash of the address.
  sender  text not null,
  bytes   bigint not null,
  primary key (site_id, day, sender)
) with (fillfactor = 50);
create index recording_bytes_day on recording_bytes (day);
