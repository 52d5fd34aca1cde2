-- Links that sign a person in once: the first way into a new installation, and the way back in without a password.

create table sign_in_links (
  -- A new link voids the one before it.
  user_id    uuid primary key references users (id) on delete cascade,
  hash       bytea not null unique,
  -- Of the password's hash when the link was made: whatever voids the password voids the link.
  password_digest bytea not null,
  expires_at timestamptz not null
);

create index sign_in_links_end on sign_in_links (expires_at);
