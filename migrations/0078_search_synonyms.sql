-- Words that stand for each other in the searches of a project (domain/search/synonyms.ts).
create table search_synonyms (
  project_id text primary key references projects (id),
  -- [{"words": […], "to": […]}]; without "to" all words stand for each other.
  synonyms   jsonb not null,
  -- Grows with every write: whoever holds older ones reads them anew.
  version    bigint not null default 1,
  updated_at timestamptz not null default now()
);
