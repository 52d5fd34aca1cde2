-- From which hosts the batches of a site's tag came and what became of them, for whoever puts the tag in. Of each outcome
-- as many as db/sites/senders.ts says, for a month.
create table site_senders (
  site_id  text not null,
  outcome  text not null check (outcome in ('accepted', 'unlisted_host', 'revoked_key', 'unknown_key')),
  -- Of the page; empty for what has none.
  host     text collate "C" not null,
  -- The first characters of a key that was refused; empty for other outcomes.
  key      text collate "C" not null,
  requests bigint not null,
  first_at timestamptz not null default now(),
  last_at  timestamptz not null,
  primary key (site_id, outcome, host, key)
);
create index site_senders_last on site_senders (last_at);
