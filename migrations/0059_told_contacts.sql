-- Whose contacts a site's server told, and which ones a browser only claims: anybody may claim any address. Where a site
-- asks for proofs, people meet in the network by contacts that servers told and by no others.

alter table sites add column asks_for_proof boolean generated always as (identity_secret is not null) stored;

-- The contacts that the server told last. One that a browser claims differs from them, or happens to be the same.
alter table site_people
  add column server_email_hash bytea check (length(server_email_hash) = 32),
  add column server_phone_hash bytea check (length(server_phone_hash) = 32);

create or replace view network_sites as
  select s.id as site_id, s.sensitive_topics, s.asks_for_proof from sites s
    join clients c on c.id = s.client_id
   where s.network_enabled and s.state = 'active' and s.owner_state = 'active' and c.state = 'active';

-- As in 0028, but for claims.
create or replace view network_people as
  select mine.site_id, me.kind, me.person_id, other.site_id as other_site_id, other.kind as other_kind, other.person_id as other_person_id,
         mine.sensitive_topics and theirs.sensitive_topics as passes_sensitive
    from network_sites mine
    join site_people me on me.site_id = mine.site_id
    join site_people other on other.email_hash = me.email_hash and other.site_id <> me.site_id
    join network_sites theirs on theirs.site_id = other.site_id
   where (not (mine.asks_for_proof or theirs.asks_for_proof) or me.email_hash = me.server_email_hash and other.email_hash = other.server_email_hash)
     and (select count(*) from (select from site_people p where p.email_hash = me.email_hash and p.site_id in (me.site_id, other.site_id) limit 11) as few) <= 10
  union
  select mine.site_id, me.kind, me.person_id, other.site_id, other.kind, other.person_id, mine.sensitive_topics and theirs.sensitive_topics
    from network_sites mine
    join site_people me on me.site_id = mine.site_id
    join site_people other on other.phone_hash = me.phone_hash and other.site_id <> me.site_id
    join network_sites theirs on theirs.site_id = other.site_id
   where (not (mine.asks_for_proof or theirs.asks_for_proof) or me.phone_hash = me.server_phone_hash and other.phone_hash = other.server_phone_hash)
     and (select count(*) from (select from site_people p where p.phone_hash = me.phone_hash and p.site_id in (me.site_id, other.site_id) limit 11) as few) <= 10;
