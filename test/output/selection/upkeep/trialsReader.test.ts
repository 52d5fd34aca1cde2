/** Trials are read in pages with rests in between. The counts themselves: test/output/feed.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readTrialsWithRests } from '../../../../output/selection/upkeep/trialsReader.ts';
import { createTestProject } from '../../../api/support/testApi.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
let project: string;

beforeAll(async () => {
  database = await createTestDatabase();
  project = (await createTestProject(database.pool)).id;
});
afterAll(() => database?.drop());

const IDS = Array.from({ length: 60 }, (_, n) => `item-${n}`);

describe('the trials of new items', () => {
  it('are read with a rest between two pages, and none after the last', async () => {
    const rests: number[] = [];
    const pause = async (ms: number): Promise<void> => void rests.push(ms);
    const tried = await readTrialsWithRests(database.pool, project, IDS, {
      catalogues: 1,
      shouldContinue: () => true,
      pause,
    });
    expect(tried?.map(({ id }) => id)).toEqual(IDS);
    expect(rests).toHaveLength(2);
    for (const ms of rests) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(500);
    }
  });

  it('are read with shorter rests if many catalogues share the time', async () => {
    const rests: number[] = [];
    const pause = async (ms: number): Promise<void> => void rests.push(ms);
    await readTrialsWithRests(database.pool, project, IDS, { catalogues: 60_000, shouldContinue: () => true, pause });
    expect(rests).toHaveLength(2);
    for (const ms of rests) expect(ms).toBeLessThanOrEqual(0.12);
  });

  it('are given up when the process stops during a rest', async () => {
    let mayGoOn = true;
    const pause = async (): Promise<void> => void (mayGoOn = false);
    expect(
      await readTrialsWithRests(database.pool, project, IDS, { catalogues: 1, shouldContinue: () => mayGoOn, pause }),
    ).toBeNull();
  });
});
