import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { writeProfiles } from '../../../db/people/profiles.ts';
import {
  countEventRows,
  inSnapshot,
  readCountedPeople,
  readEventRows,
  readPositiveTypes,
  type EventRow,
} from '../../../db/training/trainingEvents.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { identityOf, link, remove } from '../../support/people/people.ts';
import { createTestProject } from '../../support/project.ts';

/** More than two pieces of people, and more than two of events. */
const PEOPLE = 4_500;

let database: TestDatabase;
let projectId: string;
let pieces = 0;
const pace = {
  work<T>(piece: () => Promise<T>): Promise<T> {
    pieces += 1;
    return piece();
  },
};

beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database?.drop());
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
  pieces = 0;
});

/** Writes an event of each of many people, who are `u-1`, `u-2` …, and a state of every third one. */
async function plant(): Promise<void> {
  await database.pool.query(
    `with person as (
       insert into identities (project_id, kind, external_id)
       select $1, 'user', 'u-' || n from generate_series(1, $2::integer) n returning id, external_id),
     fact as (
       insert into events (project_id, id, identity_id, item_id, type, occurred_at)
       select $1, 'e-' || external_id, id, 'item-' || id % 7, 'open', now() from person)
     insert into event_states (project_id, identity_id, item_id, type, value, occurred_at)
     select $1, id, 'item-1', 'like', 1, now() from person where substr(external_id, 3)::integer % 3 = 0`,
    [projectId, PEOPLE],
  );
}

async function readAll(client: pg.PoolClient, sampleOf = 1): Promise<EventRow[]> {
  const read: EventRow[] = [];
  const types = await readPositiveTypes(client, projectId);
  const people = await readCountedPeople(client, projectId, { sampleOf, pace });
  await readEventRows(client, projectId, { types, people, pace }, (rows) => read.push(...rows));
  return read;
}

const inOurSnapshot = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => inSnapshot(database.pool, work);

describe('the events that a training reads', () => {
  it('are read piece by piece, each once', async () => {
    await plant();
    const rows = await inOurSnapshot(readAll);
    expect(rows).toHaveLength(PEOPLE + PEOPLE / 3);
    expect(new Set(rows.map(([person]) => person)).size).toBe(PEOPLE);
    expect(pieces).toBeGreaterThan(4);
  });

  it('are counted piece by piece until a piece is not full', async () => {
    await plant();
    const rows = PEOPLE + PEOPLE / 3;
    expect(await inOurSnapshot((client) => countEventRows(client, projectId, pace, rows / 3))).toBe(rows);
    expect(pieces).toBe(4);
    expect(await inOurSnapshot((client) => countEventRows(client, projectId, pace, 2_500))).toBe(rows);
  });

  it('count for the user of a linked device, and not for people who are deleted or want no personalization', async () => {
    await plant();
    const people = { pool: database.pool, projectId };
    const [user, withdrawn] = await Promise.all(['u-2', 'u-3'].map((id) => identityOf(people, 'user', id)));
    await database.pool.query(
      `with device as (insert into identities (project_id, kind, external_id) values ($1, 'anonymous', 'd-1') returning id)
       insert into events (project_id, id, identity_id, item_id, type, occurred_at) select $1, 'e-d', id, 'item-d', 'open', now() from device`,
      [projectId],
    );
    await link(people, 'u-2', 'd-1');
    await remove(people, 'user', 'u-1');
    const identifier = { kind: 'user', externalId: 'u-3' } as const;
    const change = { personalization: false };
    await writeProfiles(database.pool, projectId, [{ identifier, seenOn: null, change }], new Date());
    const rows = await inOurSnapshot(readAll);
    expect(rows.filter(([, item]) => item === 'item-d').map(([person]) => person)).toEqual([Number(user)]);
    expect(rows.map(([person]) => person)).not.toContain(Number(withdrawn));
    expect(new Set(rows.map(([person]) => person)).size).toBe(PEOPLE - 2);
  });

  it('are those of every second person in a sample of one in two', async () => {
    await plant();
    const rows = await inOurSnapshot((client) => readAll(client, 2));
    const sampled = new Set(rows.map(([person]) => person));
    expect([...sampled].filter((person) => person % 2 !== 0)).toEqual([]);
    expect(sampled.size).toBe(PEOPLE / 2);
  });

  it('are read by one process of the database', async () => {
    const setting = await inOurSnapshot(async (client) => {
      const { rows } = await client.query<{ most: string }>(
        `select current_setting('max_parallel_workers_per_gather') as most`,
      );
      return rows[0]?.most;
    });
    expect(setting).toBe('0');
  });
});
