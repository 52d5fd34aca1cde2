import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listUnfinishedItems, type UnfinishedItem } from '../../../db/jobs/unfinishedItems.ts';
import { putItem } from '../../../db/items/writeItems.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestProject, textItem } from '../../support/project.ts';
import { withoutTriggers } from '../../support/unstamped.ts';

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
});
afterAll(() => database.drop());

describe('the list of unfinished items', () => {
  it('comes page by page without gaps or repeats, even within one microsecond', async () => {
    for (let index = 0; index < 25; index += 1)
      await putItem(database.pool, {
        projectId,
        itemId: `i${index}`,
        content: textItem(),
        origin: 'api',
        requestId: null,
      });
    await database.pool.query('delete from outbox');
    // Groups of equal times, a microsecond apart.
    await withoutTriggers(
      database.pool,
      `update items set updated_at = '2026-01-01T00:00:00.000001Z'::timestamptz + (substr(id, 2)::int / 7) * interval '1 microsecond'`,
    );
    const seen: string[] = [];
    let after: UnfinishedItem | null = null;
    for (;;) {
      const page: UnfinishedItem[] = await listUnfinishedItems(database.pool, {
        graceMs: 60_000,
        after,
        limit: 4,
        withDeferred: true,
      });
      seen.push(...page.map((item) => item.itemId));
      after = page.at(-1) ?? null;
      if (page.length < 4) break;
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
  });
});

describe('a deferred item', () => {
  const list = (withDeferred: boolean) =>
    listUnfinishedItems(database.pool, { graceMs: 60_000, after: null, limit: 100, withDeferred });

  it.each([
    ['2 hours', false, true],
    ['-30 seconds', false, true],
    ['-2 minutes', true, true],
  ] as const)(
    'with its next attempt in %s is listed among the due ones: %j, and among all: %j',
    async (until, due, all) => {
      await database.pool.query('delete from items');
      await putItem(database.pool, { projectId, itemId: 'd', content: textItem(), origin: 'api', requestId: null });
      await database.pool.query('delete from outbox');
      await withoutTriggers(
        database.pool,
        `update items set status = 'deferred', updated_at = now() - interval '1 day',
                steps = steps || jsonb_build_object('summary', (steps -> 'summary') || jsonb_build_object('state', 'deferred', 'retryAt', now() + $1::interval))`,
        [until],
      );
      expect([(await list(false)).length > 0, (await list(true)).length > 0]).toEqual([due, all]);
    },
  );
});
