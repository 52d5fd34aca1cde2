-- People see their sessions and end one of them: it needs a name that is not the hash of its cookie.
alter table sessions add column id uuid not null unique default attune_uuid_v7();
