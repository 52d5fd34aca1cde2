-- How somebody reads the cabinet, in whichever browser; null: as the browser and the system have it.
alter table users
  add column language text check (language in ('ru', 'en')),
  add column theme    text check (theme in ('system', 'light', 'dark'));

-- The site on whose pages the project's items are.
alter table projects
  add column site_id text references sites (id) on delete set null;
