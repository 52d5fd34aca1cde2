-- The words of a title as searches compare them while nothing better answers, each with its project, so that an index
-- over them finds those of one project alone.
create function title_words(project text, title text) returns text[]
  language sql immutable parallel safe as $$
  select array(
    select project || ' ' || lexeme
      from unnest(to_tsvector('pg_catalog.russian', replace(lower(coalesce(title, '')), 'ё', 'е'))))
$$;
