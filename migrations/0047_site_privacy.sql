-- What a site has set for the privacy of its visitors, and which links of visitors to users were proven.

alter table sites
  -- Recordings show no text of the pages at all.
  add column mask_texts boolean not null default false,
  -- Visitors whose browser sends Global Privacy Control are not counted.
  add column honour_gpc boolean not null default true,
  -- Encrypted (domain/secretKeys.ts): what user_hash of svc('user') is made with.
  add column identity_secret bytea,
  -- Links without a user_hash are not made.
  add column require_user_hash boolean not null default false;

-- The user whom a visitor was last proven to be. Where the site has a secret, a link to anybody else reads and writes
-- nothing of the user.
alter table site_visitors add column proven_user_id text collate "C";

-- A user goes with the last visitor that was it: one that only said so is none.
alter table site_visitor_users add column is_proven boolean not null default true;
