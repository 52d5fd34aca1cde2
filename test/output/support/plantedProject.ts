/** Planted events in the tables of a project. */
import type pg from 'pg';
import { addItems } from '../../support/people/events.ts';
import { plantedEvents, type PlantedEvent, type Planting } from '../../support/people/plantedEvents.ts';

/** @returns the number of events */
export async function plantProject(pool: pg.Pool, projectId: string, planting: Planting): Promise<number> {
  const events = [...plantedEvents(planting)];
  await plantEvents(pool, projectId, events);
  return events.length;
}

/** Stores the people as users `u-1`, `u-2`, …; every event is an opening. */
export async function plantEvents(pool: pg.Pool, projectId: string, events: readonly PlantedEvent[]): Promise<void> {
  await addItems(pool, projectId, [...new Set(events.map(({ item }) => item))]);
  await pool.query(
    `insert into identities (project_id, kind, external_id) select $1, 'user', 'u-' || n from generate_series(1, $2::int) n order by n`,
    [projectId, Math.max(...events.map(({ person }) => person))],
  );
  await pool.query(
    `insert into events (project_id, id, identity_id, item_id, type, occurred_at)
     select $1, 'planted-' || n, i.id, e.item, 'open', to_timestamp(e.at / 1000)
       from unnest($2::int[], $3::text[], $4::float8[]) with ordinality as e (person, item, at, n)
       join identities i on i.project_id = $1 and i.kind = 'user' and i.external_id = 'u-' || e.person`,
    [
      projectId,
      events.map(({ person }) => person),
      events.map(({ item }) => item),
      events.map(({ occurredAt }) => occurredAt),
    ],
  );
}
