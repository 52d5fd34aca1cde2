import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { SentEvent } from '../../../domain/events/validateEvents.ts';
import { createPool, inTransaction } from '../../../db/pool.ts';
import { createTestDatabase, PATIENT_POOL, type TestDatabase } from '../../support/database.ts';
import {
  addItems,
  by,
  changeType,
  readFacts,
  readImpressions,
  readStates,
  sent,
  take,
} from '../../support/people/events.ts';
import { createTestProject } from '../../support/project.ts';

let database: TestDatabase;
/** A pool with a connection for each of the simultaneous requests. */
let pool: pg.Pool;
let projectId: string;

const REQUESTS = 20;
const ITEMS = Array.from({ length: 50 }, (_, n) => `item-${n}`);
const TYPES = ['open', 'share', 'view', 'like', 'impression'];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    databaseUrl: database.url,
    size: REQUESTS,
    applicationName: 'attune-test-events',
    ...PATIENT_POOL,
  });
});
beforeEach(async () => {
  projectId = await createTestProject(pool);
  await addItems(pool, projectId, ITEMS);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const simultaneously = (requests: readonly (readonly SentEvent[])[]) =>
  Promise.all(requests.map((events) => take(pool, projectId, events)));
const sumOf = (outcomes: readonly { accepted: number; duplicates: number }[], key: 'accepted' | 'duplicates') =>
  outcomes.reduce((sum, outcome) => sum + outcome[key], 0);

/** Returns events of every mode; user, item and type change from one to the next. */
function mixture(count: number): SentEvent[] {
  return Array.from({ length: count }, (_, n) =>
    sent({
      id: `${n}`,
      type: TYPES[n % TYPES.length] ?? '',
      item: ITEMS[n % ITEMS.length] ?? '',
      value: n % 2,
      position: n % 40,
      surface: 'feed',
      ...by(`user-${n % 37}`),
    }),
  );
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

describe('simultaneous requests', () => {
  it('take effect once if they are identical', async () => {
    const events = mixture(1_000);
    const outcomes = await simultaneously(Array.from({ length: REQUESTS }, () => events));
    expect([sumOf(outcomes, 'accepted'), sumOf(outcomes, 'duplicates')]).toEqual([1_000, 1_000 * (REQUESTS - 1)]);
    expect(await readFacts(pool, projectId)).toHaveLength(400);
    const shown = await readImpressions(pool, projectId);
    expect(shown.reduce((sum, { count }) => sum + count, 0)).toBe(200);
    expect((await pool.query('select from seen_event_ids where project_id = $1', [projectId])).rows).toHaveLength(600);
  });

  it('with the same new people, ids, states and counters in any order do not deadlock', async () => {
    for (let round = 0; round < 5; round += 1) {
      const events = mixture(400).map((event) => ({
        ...event,
        id: `${round}-${event.id}`,
        ...by(`${round}-${event.id}`),
      }));
      const outcomes = await simultaneously([
        ...Array.from({ length: REQUESTS - 2 }, () => shuffled(events)),
        events,
        events.toReversed(),
      ]);
      expect(sumOf(outcomes, 'accepted')).toBe(400);
    }
  });

  it('of new people, with repeated and new events, assign each event to its person', async () => {
    const known = sent({ item: 'item-0', ...by('known') });
    await take(pool, projectId, [known]);
    for (let round = 0; round < 10; round += 1) {
      const requests = Array.from({ length: REQUESTS }, (_, n) => [
        n % 2 ? sent({ item: 'item-0', ...by(`new-${round}`) }) : { ...known, ...by(`new-${round}`) },
      ]);
      expect(sumOf(await simultaneously(shuffled(requests)), 'accepted')).toBe(REQUESTS / 2);
    }
    const { rows } = await pool.query(
      `select i.external_id, count(e.id)::int as events from events e left join identities i on i.project_id = e.project_id and i.id = e.identity_id and i.dead_at is null
        where e.project_id = $1 and e.id <> $2 group by 1 order by 1`,
      [projectId, known.id],
    );
    expect(rows).toEqual(
      Array.from({ length: 10 }, (_, round) => ({ external_id: `new-${round}`, events: REQUESTS / 2 })),
    );
  });

  it('with windows and opposite orders do not deadlock, and the window is respected', async () => {
    await changeType(pool, projectId, 'open', { dedup_window_sec: 3_600 });
    await changeType(pool, projectId, 'share', { dedup_window_sec: 60 });
    const request = (): SentEvent[] =>
      shuffled(
        ITEMS.flatMap((item) =>
          ['open', 'share'].flatMap((type) => ['u', 'v'].map((user) => sent({ item, type, ...by(user) }))),
        ),
      );
    const outcomes = await simultaneously(Array.from({ length: REQUESTS }, request));
    expect([sumOf(outcomes, 'accepted'), sumOf(outcomes, 'duplicates')]).toEqual([200, 200 * (REQUESTS - 1)]);
    expect(await readFacts(pool, projectId)).toHaveLength(200);
  });

  it('keep the largest value and the last state, whichever comes first', async () => {
    const start = Date.now() - 60_000;
    const requests = Array.from({ length: REQUESTS }, (_, n) =>
      ITEMS.flatMap((item) => [
        sent({ type: 'view', item, value: n, occurredAt: new Date(start) }),
        sent({ type: 'like', item, value: n % 2, occurredAt: new Date(start + n) }),
      ]),
    );
    await simultaneously(shuffled(requests));
    const states = await readStates(pool, projectId);
    expect(states).toHaveLength(100);
    for (const { type, value, occurred_at: at } of states) {
      expect([type, value, at.getTime() - start]).toEqual(type === 'view' ? ['view', 19, 0] : ['like', 1, 19]);
    }
  });

  it('count every impression', async () => {
    const requests = Array.from({ length: REQUESTS }, () =>
      Array.from({ length: 200 }, (_, n) => sent({ type: 'impression', item: ITEMS[n % 5] ?? '', position: n % 3 })),
    );
    await simultaneously(requests);
    const shown = await readImpressions(pool, projectId);
    expect(shown).toHaveLength(15);
    expect(shown.reduce((sum, { count }) => sum + count, 0)).toBe(200 * REQUESTS);
  });

  it('with one id may count once as a fact and once as a state, but no later one with that id counts', async () => {
    const id = randomUUID();
    const outcomes = await simultaneously(
      ['open', 'like', 'open', 'like'].map((type) => [sent({ id, type, item: 'item-0' })]),
    );
    const accepted = sumOf(outcomes, 'accepted');
    expect([1, 2]).toContain(accepted);
    const stored = [...(await readFacts(pool, projectId)), ...(await readStates(pool, projectId))];
    expect(stored).toHaveLength(accepted);
    expect(
      sumOf(
        await simultaneously(['open', 'like', 'impression'].map((type) => [sent({ id, type, item: 'item-0' })])),
        'accepted',
      ),
    ).toBe(0);
  });

  it('lose nothing if one of them fails half way', async () => {
    const events = mixture(100);
    const failing = inTransaction(pool, async (client) => {
      await client.query(
        `insert into events (project_id, id, identity_id, item_id, type, occurred_at) values ($1, '0', 1, 'item-0', 'open', now())`,
        [projectId],
      );
      throw new Error('the power went out');
    });
    const [broken, outcome] = await Promise.allSettled([failing, take(pool, projectId, events)]);
    expect(broken.status).toBe('rejected');
    expect(outcome).toMatchObject({ status: 'fulfilled', value: { accepted: 100, duplicates: 0 } });
  });
});
