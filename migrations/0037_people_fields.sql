-- Reports read one field of all people of a site: from this index alone, each person's rows side by side, what a user
-- told before what a site did. Params are too long for an index; of them it holds where they are.
create index site_person_values_field on site_person_values (site_id, field, kind, person_id, source desc) include (attribute, value, born, is_sensitive, at);
