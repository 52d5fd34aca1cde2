-- How many sites an owner may have is his quota: an admin may change it for one user (the API's document, "Site quotas").
-- Null is the default, domain/roles.ts OWNER_QUOTA.
alter table users
  add column site_quota integer check (site_quota between 1 and 1000),
  drop constraint users_owner_sites,
  add constraint users_owner_sites check (role <> 'owner' or cardinality(sites) <= coalesce(site_quota, 30));
