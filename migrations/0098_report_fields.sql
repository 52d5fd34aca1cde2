-- What reports of a site can be grouped by beside the fixed dimensions: keys of params that were sent. Names alone,
-- no values; as many of a kind as db/sites/paramKeys.ts says.
create table site_param_keys (
  site_id text not null,
  kind    text not null check (kind in ('visit', 'event', 'visitor')),
  key     text collate "C" not null,
  -- Brought up to date once a week at most.
  seen_on date not null default current_date,
  primary key (site_id, kind, key)
);

-- The language in which the file of an export is written.
alter table report_exports add column language text not null default 'ru' check (language in ('en', 'ru'));
