/** Planted events in the tables of a project. */
import type pg from 'pg';
import { addItems } from '../../support/events.ts';
import { plantedEvents, type Planting } from './plantedEvents.ts';

/** The people are users `u-1`, `u-2`, …; everything is an opening. @returns how many events there are */
export async function plantProject(pool: pg.Pool, projectId: string, planting: Planting): Promise<number> {
  const events = [...plantedEvents(planting)];
  const items = [...new Set(events.map(({ item }) => item))];
  await addItems(pool, projectId, items);
  await pool.query(
    `insert into identities (project_id, kind, external_id) select $1, 'user', 'u-' || n from generate_series(1, $2::int) n order by n`,
    [projectId, planting.people],
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
  return events.length;
}
