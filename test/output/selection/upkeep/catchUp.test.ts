import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { Catalogue } from '../../../../output/selection/catalogue/catalogue.ts';
import { CatchUp } from '../../../../output/selection/upkeep/catchUp.ts';
import { Catalogues } from '../../../../output/selection/upkeep/catalogues.ts';
import type { ModelSource } from '../../../../output/selection/upkeep/modelFollower.ts';
import { createLogger } from '../../../../platform/process/logger.ts';
import { createTestProject } from '../../../api/support/testApi.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { feedFor } from '../../support/catalogues.ts';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database?.drop());

const NO_MODELS: ModelSource = { current: async () => null, kept: async () => [], read: async () => null };

/** Writes items `from` to `to`. @returns the time of the latest change, in microseconds */
async function write(projectId: string, from: number, to: number): Promise<number> {
  await database.pool.query(
    `insert into items (project_id, id, type, author, status, published_at, properties, origin, available, revision, steps, created_at, updated_at)
     select $1, 'i-' || n, 'text', null, 'ready', now(), null, 'api', true, 1, '{}', now(), now() from generate_series($2::int, $3::int) n`,
    [projectId, from, to],
  );
  const { rows } = await database.pool.query<{ micros: string }>(
    'select (extract(epoch from max(updated_at)) * 1000000)::bigint as micros from items where project_id = $1',
    [projectId],
  );
  return Number(rows[0]?.micros);
}

interface Stage {
  projectId: string;
  catalogues: Catalogues;
  catalogue: Catalogue;
  catchUp: CatchUp;
  prepare(changedAt?: number | null, msLeft?: number): Promise<void>;
  /** Number of looks for changes so far. */
  looks(): number;
}

/** @param answer what the look for changes waits for */
async function stageWith(items: number, answer: Promise<void> = Promise.resolve()): Promise<Stage> {
  const { id: projectId } = await createTestProject(database.pool);
  await write(projectId, 1, items);
  const logger = createLogger('selection', 'silent');
  const catalogues = new Catalogues({ pool: database.pool, logger, budgetBytes: 1e9, models: NO_MODELS });
  const catalogue = await eventually(() => {
    const found = catalogues.find(projectId);
    return typeof found === 'object' ? found : null;
  }, 'the catalogue');
  let looks = 0;
  const query = async (config: pg.QueryConfig) => {
    if (config.name === 'output-changes-after') {
      looks += 1;
      await answer;
    }
    return database.pool.query(config);
  };
  const catchUp = new CatchUp({ query } as unknown as pg.Pool, catalogues);
  const prepare = (changedAt?: number | null, msLeft = 60_000) =>
    catchUp.prepare({ ...feedFor(), projectId, ...(changedAt !== undefined && { changedAt }), msLeft });
  return { projectId, catalogues, catalogue, catchUp, prepare, looks: () => looks };
}

describe('a question about a catalogue', () => {
  it('looks for nothing when the catalogue has everything that was written before', async () => {
    const { projectId, catalogues, prepare, looks } = await stageWith(1);
    const changedAt = await write(projectId, 2, 2);
    await catalogues.followAll();
    await prepare(changedAt);
    await prepare(null);
    expect(looks()).toBe(0);
  });

  it('takes in what was written since, and waiting questions share one look', async () => {
    const { projectId, catalogue, prepare, looks } = await stageWith(1);
    const changedAt = await write(projectId, 2, 3);
    await Promise.all([prepare(changedAt), prepare(changedAt), prepare(changedAt), prepare(changedAt)]);
    expect([catalogue.slotOf('i-2'), catalogue.slotOf('i-3')].toSorted()).toEqual([1, 2]);
    expect(looks()).toBe(2);
  });

  it('looks for changes when it does not say whether there are any', async () => {
    const { projectId, catalogue, prepare } = await stageWith(1);
    await write(projectId, 2, 2);
    await prepare();
    expect(catalogue.slotOf('i-2')).toBe(1);
  });

  it('takes in overlapping transactions even if the one that wrote first is committed last', async () => {
    const { projectId, catalogue, prepare } = await stageWith(1);
    const slow = await database.pool.connect();
    try {
      await slow.query('begin');
      await slow.query("update items set author = 'early', updated_at = now() where project_id = $1 and id = 'i-1'", [
        projectId,
      ]);
      const changedAt = await write(projectId, 2, 2);
      await prepare(changedAt);
      expect(catalogue.itemAt(0)?.author).toBeNull();
      await slow.query('commit');
      await prepare(changedAt);
      expect(catalogue.itemAt(0)?.author).toBe('early');
    } finally {
      slow.release();
    }
  });

  it('does not look for changes after a turn of following that did not take all of them', async () => {
    const { projectId, catalogues, prepare, looks } = await stageWith(1);
    const changedAt = await write(projectId, 2, 2_500);
    await catalogues.followAll();
    await prepare(changedAt);
    expect(looks()).toBe(0);
    await catalogues.followAll();
    await prepare(await write(projectId, 2_501, 2_501));
    expect(looks()).toBe(1);
  });

  it('lists many changes only once between two turns of following, even while a transaction is open', async () => {
    const { projectId, catalogues, prepare, looks } = await stageWith(1);
    const slow = await database.pool.connect();
    try {
      await slow.query('begin');
      await slow.query('update items set updated_at = now() where project_id = $1', [projectId]);
      const changedAt = await write(projectId, 2, 2_500);
      for (const expected of [1, 2]) {
        await prepare(changedAt);
        await prepare(changedAt);
        expect(looks()).toBe(expected);
        await catalogues.followAll();
      }
    } finally {
      await slow.query('rollback');
      slow.release();
    }
  });

  it('ends in time even if its look for changes does not', async () => {
    const { projectId, prepare, looks } = await stageWith(1, new Promise(() => {}));
    await prepare(await write(projectId, 2, 2), 20);
    expect(looks()).toBe(1);
  });
});
