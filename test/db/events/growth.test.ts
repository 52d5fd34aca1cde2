import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createPool, INTAKE_STATEMENT_TIMEOUT_MS } from '../../../db/pool.ts';
import type { SentEvent } from '../../../domain/events/validateEvents.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addItems, by, sent, take } from '../../support/people/events.ts';
import { createTestProject } from '../../support/project.ts';

const TYPES = ['open', 'like', 'view', 'impression'];

let database: TestDatabase;
/** A pool with one connection, so that every request gets the plans cached by earlier ones. */
let pool: pg.Pool;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    databaseUrl: database.url,
    size: 1,
    applicationName: 'attune-test-growth',
    statementTimeoutMs: INTAKE_STATEMENT_TIMEOUT_MS,
    looksUpByIndex: true,
  });
  projectId = await createTestProject(database.pool);
  await addItems(
    database.pool,
    projectId,
    Array.from({ length: 100 }, (_, n) => `item-${n}`),
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const mixture = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    sent({ type: TYPES[n % 4] ?? '', item: `item-${n % 100}`, value: 1, ...by(`user-${n}`) }),
  );

/** Repeats events by unknown people; the duplicates are detected and undone. */
const asGhosts = (events: readonly SentEvent[]) => events.map((event, n) => ({ ...event, ...by(`ghost-${n}`) }));

/** Adds rows like a bulk load, before statistics are updated. */
async function grow(): Promise<void> {
  await database.pool.query(
    `with people as (insert into identities (project_id, kind, external_id) select $1, 'user', 'old-' || n from generate_series(1, 100000) as n returning id),
          facts as (insert into events (project_id, id, identity_id, item_id, type, occurred_at) select $1, 'old-' || id, id, 'item-0', 'open', now() from people),
          states as (insert into event_states (project_id, identity_id, item_id, type, value, occurred_at) select $1, id, 'item-0', 'like', 1, now() from people)
     insert into seen_event_ids (project_id, id_hash, expires_on) select $1, gen_random_uuid(), current_date + 30 from people`,
    [projectId],
  );
}

describe('the intake of events', () => {
  it('does not keep query plans from the time when its tables were small', async () => {
    await take(pool, projectId, mixture(100));
    await database.pool.query('analyze');
    for (let request = 0; request < 10; request += 1) {
      const events = mixture(100);
      await take(pool, projectId, events);
      await take(pool, projectId, asGhosts(events));
    }
    await grow();
    const events = mixture(1_000);
    expect(await take(pool, projectId, events)).toEqual({ accepted: 1_000, duplicates: 0, rejected: [] });
    expect(await take(pool, projectId, asGhosts(events))).toEqual({ accepted: 0, duplicates: 1_000, rejected: [] });
  });
});
