-- The language that the analysis writes in, and the topics that it may choose from.
alter table projects
  -- `auto` or an ISO 639-1 code; `auto` is the language of the content.
  add column language text not null default 'auto',
  -- Empty: any topic.
  add column topics text[] not null default '{}';
