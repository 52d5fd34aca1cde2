/** Every list of the three APIs answers 400 to a forged cursor, whatever it looks like. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analyticsOperations } from '../../api/analyticsApi.ts';
import { cabinetOperations } from '../../api/cabinetApi.ts';
import { contentOperations } from '../../api/contentApi.ts';
import type { AnyOperation } from '../../api/http/operations/operation.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createWorld, pathIn, type World } from './support/examples.ts';
import { startTestApi, type TestApi } from './support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let world: World;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  world = await createWorld(api, database);
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

type ApiName = 'content' | 'analytics' | 'cabinet';

const hasCursor = ({ query }: AnyOperation): boolean =>
  'cursor' in ((query as { properties?: object } | undefined)?.properties ?? {});
const lists = (name: ApiName, operations: readonly AnyOperation[]) =>
  operations.filter(hasCursor).map((operation) => [operation.operationId, name, operation] as const);
const LISTS = [
  ...lists('content', contentOperations),
  ...lists('analytics', analyticsOperations),
  ...lists('cabinet', cabinetOperations),
];

const UUID = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';
/** Cursors similar to real ones: each form with values that do not exist. */
const FORGED = [
  `2026-13-20T09:04:11.000000Z/${UUID}`,
  `2026-02-30T09:04:11.000000Z/${UUID}`,
  `2026-11-20T99:04:11.000000Z/${UUID}`,
  `2026-11-20T09:61:11.000000Z/${UUID}`,
  `0000-00-00T00:00:00.000000Z/${UUID}`,
  `2026-13-20 09:04:11.301+00|${UUID}`,
  `2026-11-20 09:04:11+99:99|${UUID}`,
  '10000000000000000.1',
  '99999999999999999999.1',
  '1763629451000000.9223372036854775808',
  'zzzzzzzz-52a1-7c3e-9f00-3b1f0a6b2c11',
  "a1b2c3d4e5f6'--",
  `a1b2c3d4e5f6/${UUID}/x`,
  '',
  '\u0000',
];

it('the lists with cursors are found', () => {
  expect(LISTS.length).toBeGreaterThanOrEqual(12);
});

describe.each(LISTS)('%s', (_id, name, operation) => {
  it('answers 400 for every forged cursor', async () => {
    const path = pathIn(world, operation.path);
    const answers = await Promise.all(
      FORGED.map(async (position) => {
        const cursor = Buffer.from(position).toString('base64url');
        const { status, body } = await world[name]('GET', `${path}?cursor=${cursor}`);
        return [position, status, body.error?.code];
      }),
    );
    expect(answers).toEqual(FORGED.map((position) => [position, 400, 'invalid_request']));
    expect((await world[name]('GET', `${path}?cursor=%00%FF`)).status).toBe(400);
  });
});

it('the cursors of a list lead through all its entries, in order', async () => {
  const path = pathIn(world, '/projects/{id}/webhooks/{wid}/deliveries');
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body } = await world.cabinet('GET', `${path}?limit=1${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    seen.push(...body.items.map((delivery: { delivery_id: string }) => delivery.delivery_id));
    cursor = body.next_cursor;
  }
  const all = (await world.cabinet('GET', path)).body.items;
  expect(seen).toEqual(all.map((delivery: { delivery_id: string }) => delivery.delivery_id));
  expect(seen.length).toBeGreaterThan(0);
});
