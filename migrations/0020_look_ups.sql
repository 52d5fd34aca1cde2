-- Indexes for look-ups that read more than they needed.

-- Items whose analysis stands still at some step, in the order of the cabinet's list (db/items/search.ts
-- asks by the same words).
create index items_stopped on items (project_id, updated_at, hashtextextended(id, 0)) include (id)
  where steps @? '$.*.state ? (@ == "failed" || @ == "deferred" || @ == "waiting")';

-- Whether something has a row in the outbox already: asked for each of what the reconciler finds, also
-- when a million rows wait.
create index outbox_work on outbox (project_id, kind, entity_id);
