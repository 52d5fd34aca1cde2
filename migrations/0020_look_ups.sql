-- Indexes for look-ups that read more than they needed.

-- Items whose analysis stands still at some step, in the order of the cabinet's list. A column of its
-- own, as an index over the steps themselves would keep every change of a step from being a HOT update.
alter table items
  add column stopped boolean not null generated always as
    (coalesce(steps @? '$.*.state ? (@ == "failed" || @ == "deferred" || @ == "waiting")', false)) stored;

create index items_stopped on items (project_id, updated_at, hashtextextended(id, 0)) include (id) where stopped;

-- Whether something has a row in the outbox already: asked for each of what the reconciler finds, also
-- when a million rows wait (500 jobs: 10 ms instead of 330). A row of a thousand costs 10 µs more to
-- write, and nothing measurable to claim.
create index outbox_work on outbox (project_id, kind, entity_id);
