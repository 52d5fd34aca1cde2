-- Who the visitors and users of sites are. Every value belongs to a person: the user that a visitor is
-- linked to (site_visitors.user_id), else the visitor. What a visitor told moves to the user with the first link.

-- Whose values change together is locked here, in the order of the key (db/sitePeople/lock.ts).
create table site_people (
  site_id    text not null,
  kind       text not null check (kind in ('user', 'visitor')),
  -- The site's own id of a user, or a visitor's UUID.
  person_id  text collate "C" not null,
  -- domain/contacts.ts: keyed hashes; nobody can read an address out of them.
  email_hash bytea check (length(email_hash) = 32),
  phone_hash bytea check (length(phone_hash) = 32),
  created_at timestamptz not null default now(),
  -- When something was told last, to the day: for how long a user is kept whom no visitor is linked to.
  told_at    timestamptz not null default now(),
  primary key (site_id, kind, person_id)
);
create index site_people_told on site_people (told_at) where kind = 'user';
-- Across sites: by these the same person is found at other sites of the network.
create index site_people_email on site_people (email_hash, site_id) where email_hash is not null;
create index site_people_phone on site_people (phone_hash, site_id) where phone_hash is not null;

-- One row a value. What one source told of one field replaces what it told before, as a whole.
create table site_person_values (
  site_id      text not null,
  kind         text not null,
  person_id    text collate "C" not null,
  -- `user`: told of the user by svc('user') or POST /users; `site`: by POST /visitors/attributes.
  source       text not null check (source in ('site', 'user')),
  -- Of the audience dimensions: gender, age_group, geo_person_city …; visitor_param for params.
  attribute    text not null,
  -- Of several values of an attribute.
  place        smallint not null default 0,
  -- domain/people/facts.ts: geo is one field and three attributes.
  field        text not null,
  -- The key of a visitor_param.
  param        text,
  -- A code or a dictionary's id; null when `json` or `born` has it.
  value        text,
  json         jsonb,
  -- Instead of an age, which moves on: the latest date of birth that fits it.
  born         date,
  is_sensitive boolean not null default false,
  at           timestamptz not null,
  primary key (site_id, kind, person_id, source, attribute, place)
);

-- Interests grow: each time that one is told it is stronger by one.
create table site_person_interests (
  site_id      text not null,
  kind         text not null,
  person_id    text collate "C" not null,
  source       text not null check (source in ('site', 'user')),
  -- Whether `interest` is a topic of the dictionary; else it is the text that none was found for.
  is_topic     boolean not null,
  interest     text collate "C" not null,
  strength     integer not null,
  is_sensitive boolean not null default false,
  at           timestamptz not null,
  primary key (site_id, kind, person_id, source, is_topic, interest)
);

-- Every user that a visitor was ever linked to: a user goes with the last visitor that it was told by.
create table site_visitor_users (
  site_id    text not null,
  visitor_id uuid not null,
  user_id    text collate "C" not null,
  linked_at  timestamptz not null default now(),
  primary key (site_id, visitor_id, user_id)
);
create index site_visitor_users_user on site_visitor_users (site_id, user_id);

-- Devices, at sites that use a device-fingerprint service.
create table site_fingerprints (
  site_id     text not null,
  fingerprint uuid not null,
  visitor_id  uuid not null,
  seen_at     timestamptz not null,
  primary key (site_id, fingerprint, visitor_id)
);
create index site_fingerprints_visitor on site_fingerprints (site_id, visitor_id);

-- Full years since a day, by the calendar of UTC.
create function years_since(born date) returns integer language sql stable
  return extract(year from age((now() at time zone 'UTC')::date, born))::integer;

-- The codes of dictionaries/age-groups.v1.json.
create function age_group_of(years integer) returns text language sql immutable
  return case when years < 18 then '0-17' when years < 25 then '18-24' when years < 35 then '25-34' when years < 45 then '35-44'
              when years < 55 then '45-54' when years < 65 then '55-64' else '65+' end;

-- Both kinds of values in one form. `choice`, within a field: among values of the same choice precedence picks one source.
create view site_told_values as
  select site_id, kind, person_id, source, field, attribute, place, param,
         case when attribute = 'age_group' and born is not null then age_group_of(years_since(born))
              when attribute = 'children_age' then years_since(born)::text
              -- Of ages: the youngest child's.
              when attribute = 'has_children' and born is not null then case when years_since(born) < 18 then 'yes' else 'no' end
              else coalesce(value, json #>> '{}') end as value,
         json, null::integer as strength, is_sensitive, at,
         case field when 'params' then param when 'purchase_categories' then value else '' end as choice,
         field <> 'params' as is_shared
    from site_person_values
   -- A grown child is none.
   where not (attribute = 'children_age' and years_since(born) >= 18)
  union all
  select site_id, kind, person_id, source, 'interests', 'interest', 0, null, interest, null, strength, is_sensitive, at,
         is_topic || interest, is_topic
    from site_person_interests;

-- The sites that share what they know.
create view network_sites as
  select s.id as site_id, s.sensitive_topics from sites s
    join clients c on c.id = s.client_id
   where s.network_enabled and s.state = 'active' and s.owner_state = 'active' and c.state = 'active';

-- Whom else a site's person is at other sites, by e-mail or phone. A contact of over ten people of two sites
-- is a placeholder (no@example.com) and tells nothing.
create view network_people as
  select mine.site_id, me.kind, me.person_id, other.site_id as other_site_id, other.kind as other_kind, other.person_id as other_person_id,
         mine.sensitive_topics and theirs.sensitive_topics as passes_sensitive
    from network_sites mine
    join site_people me on me.site_id = mine.site_id
    join site_people other on other.email_hash = me.email_hash and other.site_id <> me.site_id
    join network_sites theirs on theirs.site_id = other.site_id
   where (select count(*) from (select from site_people p where p.email_hash = me.email_hash and p.site_id in (me.site_id, other.site_id) limit 11) as few) <= 10
  union
  select mine.site_id, me.kind, me.person_id, other.site_id, other.kind, other.person_id, mine.sensitive_topics and theirs.sensitive_topics
    from network_sites mine
    join site_people me on me.site_id = mine.site_id
    join site_people other on other.phone_hash = me.phone_hash and other.site_id <> me.site_id
    join network_sites theirs on theirs.site_id = other.site_id
   where (select count(*) from (select from site_people p where p.phone_hash = me.phone_hash and p.site_id in (me.site_id, other.site_id) limit 11) as few) <= 10;

-- What holds of each person: user before site before network, and of the network what was told last. Whoever
-- asks for one field says so: nothing else is read then.
create view site_audience as
  select site_id, kind, person_id, field, attribute, place, param, value, json, strength, source
    from (select told.*, rank() over (partition by site_id, kind, person_id, field, choice order by precedence, at desc, giver) as rank
            from (select site_id, kind, person_id, field, attribute, place, param, value, json, strength, source, at, choice,
                         case source when 'user' then 1 else 2 end as precedence, null::text as giver
                    from site_told_values
                  union all
                  select n.site_id, n.kind, n.person_id, t.field, t.attribute, t.place, null, t.value, null, t.strength, 'network', t.at, t.choice,
                         case t.source when 'user' then 3 else 4 end, t.site_id || '/' || t.kind || '/' || t.person_id
                    from network_people n
                   -- `offset 0` keeps the look-up as it is written, by the whole key: as a join, the values of every site would be read.
                   cross join lateral (
                     select * from site_told_values v
                      where v.site_id = n.other_site_id and v.kind = n.other_kind and v.person_id = n.other_person_id
                        and v.is_shared and (not v.is_sensitive or n.passes_sensitive)
                      offset 0) as t) as told) as ranked
   where rank = 1;
