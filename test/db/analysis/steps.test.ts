import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { planItem } from '../../../db/analysis/plan.ts';
import { completeStep, deferStep, startStep } from '../../../db/analysis/steps.ts';
import { patchItem, putItem, reprocessItem } from '../../../db/items/writeItems.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSilentWebhook, Analyst, mediaItem, mediaOf, medium, plain, snapshot } from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';

const ERROR = { code: 'provider_unavailable', message: 'молчит' };

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;
let count = 0;
let id = '';

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  await addSilentWebhook(database.pool, projectId);
  analyst = new Analyst(database.pool, projectId);
});
afterAll(() => database.drop());
beforeEach(() => {
  count += 1;
  id = `item-${count}`;
});

const look = () => snapshot(database.pool, projectId, id);
const plan = (running = {}) => planItem(database.pool, { projectId, itemId: id }, running);
const work = <S extends string>(step: S, revision = 1) => ({ projectId, itemId: id, step, revision });
/** Makes a deferred step due, as the passing of time would. */
const passTime = () =>
  database.pool.query(
    `update items set steps = (select jsonb_object_agg(key, case when value ->> 'retryAt' is null then value else jsonb_set(value, '{retryAt}', '"2020-01-01T00:00:00.000Z"') end)
                               from jsonb_each(steps)) where project_id = $1 and id = $2`,
    [projectId, id],
  );

describe('the plan', () => {
  // proves: decisions-items/new-item
  it('skips inapplicable steps, once, without an event', async () => {
    await analyst.put(id, textItem());
    const before = await look();
    expect(plain((await plan())?.steps ?? before.steps)).toEqual({
      prepare: 'skipped',
      speech: 'skipped',
      vision: 'skipped',
      summary: 'queued',
      embedding: 'queued',
    });
    const after = await look();
    expect(after).toMatchObject({ status: 'queued', updatedAt: before.updatedAt, events: [] });
    await plan();
    expect(await look()).toEqual(after);
  });

  it('queues a step that is recorded as running but is not, and leaves a step that runs', async () => {
    await analyst.put(id, textItem());
    await plan();
    await startStep(database.pool, work('summary'));
    expect((await plan({ summary: 1 }))?.steps.summary.state).toBe('running');
    expect((await plan({ summary: 2 }))?.steps.summary.state).toBe('queued');
    await startStep(database.pool, work('summary'));
    expect((await plan())?.steps.summary.state).toBe('queued');
  });

  it('does nothing for an item that does not exist', async () => {
    expect(await plan()).toBeNull();
  });
});

describe('starting a step', () => {
  // proves: decisions-items/updated_at-status
  it('shows it as running, and the item as processing', async () => {
    await analyst.put(id, textItem());
    await plan();
    const before = await look();
    expect(await startStep(database.pool, work('summary'))).toBe(true);
    const after = await look();
    expect(after).toMatchObject({ status: 'processing', steps: { summary: { state: 'running' } } });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await startStep(database.pool, work('summary'))).toBe(true);
    expect((await look()).updatedAt).toBe(after.updatedAt);
  });

  it('is refused for an outdated, finished or unknown one', async () => {
    await analyst.put(id, textItem());
    await plan();
    expect(await startStep(database.pool, work('summary', 2))).toBe(false);
    expect(await startStep(database.pool, work('prepare'))).toBe(false);
    expect(await startStep(database.pool, { ...work('summary'), itemId: 'nobody' })).toBe(false);
  });
});

describe('events', () => {
  // proves: webhook-kinds/1, webhook-kinds/5
  it('are sent once per change to a final status, not once per step', async () => {
    await analyst.put(id, textItem());
    await plan();
    await analyst.finish(id, 'summary', { outcome: { state: 'failed', error: ERROR } });
    expect((await look()).events).toEqual([]);
    await analyst.finish(id, 'embedding');
    expect(await look()).toMatchObject({ status: 'partial', events: ['item.failed'] });
    const { rows } = await database.pool.query<{ item: Record<string, unknown> }>(
      'select item from deliveries where item_id = $1',
      [id],
    );
    expect(rows).toEqual([
      {
        item: {
          id,
          status: 'partial',
          processing: {
            prepare: 'skipped',
            speech: 'skipped',
            vision: 'skipped',
            summary: 'failed',
            embedding: 'done',
          },
        },
      },
    ]);
  });

  // proves: webhook-request/item
  it('contain the summary that the transaction leaves', async () => {
    await analyst.put(id, textItem());
    await analyst.analyse(id);
    const { rows } = await database.pool.query<{ item: Record<string, unknown> }>(
      'select item from deliveries where item_id = $1',
      [id],
    );
    expect(rows[0]?.item['summary']).toEqual({
      summary: 'итог',
      topics: ['тема'],
      tags: ['тег'],
      age_rating: null,
      moderation: null,
    });
  });

  // proves: states/failed
  it('report failed for an item without vectors', async () => {
    await analyst.put(id, textItem());
    await plan();
    await analyst.finish(id, 'summary');
    await analyst.finish(id, 'embedding', { outcome: { state: 'failed', error: ERROR } });
    expect(await look()).toMatchObject({ status: 'failed', events: ['item.failed'] });
  });

  // proves: webhook-kinds/2
  it('are sent again when the item reaches a final status again, even the same one', async () => {
    await analyst.put(id, textItem());
    for (let times = 1; times <= 3; times += 1) {
      await analyst.analyse(id);
      expect((await look()).events).toEqual(Array.from({ length: times }, () => 'item.processed'));
      await reprocessItem(database.pool, { projectId, itemId: id, steps: ['embedding'], requestId: null });
    }
  });

  it('are sent to each webhook that subscribes to them', async () => {
    const other = await createTestProject(database.pool);
    for (let hooks = 0; hooks < 2; hooks += 1) await addSilentWebhook(database.pool, other, ['item.processed']);
    await addSilentWebhook(database.pool, other, ['item.failed']);
    const colleague = new Analyst(database.pool, other);
    await colleague.put(id, textItem());
    await colleague.analyse(id);
    expect((await snapshot(database.pool, other, id)).events).toEqual(['item.processed', 'item.processed']);
  });
});

describe('a result', () => {
  // proves: decisions-items/older-result
  it('of an older revision is dropped', async () => {
    await analyst.put(id, textItem());
    await plan();
    await startStep(database.pool, work('summary'));
    await patchItem(database.pool, { projectId, itemId: id, patch: { body: 'Новее.' }, requestId: null });
    const before = await look();
    expect(await analyst.finish(id, 'summary', { revision: 1, text: 'старый' })).toBeNull();
    expect(await deferStep(database.pool, work('summary'), ERROR)).toBeNull();
    expect(await look()).toEqual(before);
  });

  it('of a second attempt does not replace that of the first', async () => {
    await analyst.put(id, textItem());
    await analyst.analyse(id);
    const before = await look();
    expect(await completeStep(database.pool, work('embedding'), { state: 'failed', error: ERROR })).toBeNull();
    expect(await deferStep(database.pool, work('summary'), ERROR)).toBeNull();
    expect(await analyst.finish(id, 'summary', { revision: 1, text: 'второй' })).toBeNull();
    expect(await look()).toEqual(before);
    const { rows } = await database.pool.query(
      `select summary ->> 'summary' as text from item_summaries where item_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ text: 'итог' }]);
  });

  it('is stored completely or not at all', async () => {
    await analyst.put(id, textItem());
    await plan();
    const before = await look();
    await expect(
      completeStep(database.pool, work('summary'), { state: 'done', error: null }, () =>
        Promise.reject(new Error('no room')),
      ),
    ).rejects.toThrow('no room');
    expect(await look()).toEqual(before);
  });
});

describe('a step that is deferred', () => {
  // proves: decisions-items/deferral-schedule
  it('waits 10 min, 1 h, 6 h and 24 h, and then fails', async () => {
    await analyst.put(id, textItem());
    await plan();
    for (const minutes of [10, 60, 6 * 60, 24 * 60]) {
      const delay = minutes * 60_000;
      await startStep(database.pool, work('summary'));
      const now = Date.now();
      const deferred = await deferStep(database.pool, work('summary'), ERROR);
      expect(deferred?.waitMs).toBe(delay);
      const left = Date.parse(deferred?.steps.summary.retryAt ?? '') - now;
      expect(left).toBeGreaterThanOrEqual(delay);
      expect(left).toBeLessThan(delay + 10_000);
      expect(await look()).toMatchObject({ status: 'deferred', events: [] });
      await passTime();
    }
    expect(await deferStep(database.pool, work('summary'), ERROR)).toMatchObject({
      waitMs: null,
      steps: { summary: { state: 'failed', error: ERROR } },
    });
    expect(await look()).toMatchObject({ status: 'processing' });
    await analyst.finish(id, 'embedding');
    expect(await look()).toMatchObject({ status: 'partial', events: ['item.failed'] });
  });

  // proves: decisions-items/updated_at-status
  it('moves updated_at, because the status of its item changes', async () => {
    await analyst.put(id, textItem());
    await plan();
    await startStep(database.pool, work('summary'));
    const running = await look();
    await deferStep(database.pool, work('summary'), ERROR);
    const after = await look();
    expect([running.status, after.status]).toEqual(['processing', 'deferred']);
    expect(after.updatedAt > running.updatedAt).toBe(true);
  });

  it('counts the deferral once if the call is repeated', async () => {
    await analyst.put(id, textItem());
    await plan();
    await deferStep(database.pool, work('summary'), ERROR);
    const before = await look();
    const again = await deferStep(database.pool, work('summary'), ERROR);
    expect(again?.waitMs).toBeLessThanOrEqual(600_000);
    expect(await look()).toEqual(before);
    expect(before.steps.summary.deferrals).toBe(1);
  });

  it('starts its schedule again after a write', async () => {
    await analyst.put(id, textItem());
    await plan();
    await deferStep(database.pool, work('summary'), ERROR);
    await patchItem(database.pool, { projectId, itemId: id, patch: { body: 'Новее.' }, requestId: null });
    expect(await look()).toMatchObject({
      status: 'queued',
      steps: { summary: { state: 'queued', deferrals: 0, retryAt: null, error: null } },
    });
  });

  it('fails together with the media that still need it, and no others', async () => {
    await analyst.put(id, mediaItem('image', [medium('image', 'a'), medium('image', 'b')]));
    const [first = ''] = (await plan())?.todo.prepare ?? [];
    await analyst.doMedium({ ...work('prepare'), mediumId: first });
    for (let tries = 0; tries < 4; tries += 1) {
      await deferStep(database.pool, work('prepare'), ERROR);
      await passTime();
    }
    await deferStep(database.pool, work('prepare'), ERROR);
    expect(
      (await mediaOf(database.pool, projectId, id)).map(({ prepare, vision, status }) => ({ prepare, vision, status })),
    ).toEqual([
      { prepare: 'done', vision: 'todo', status: 'ready' },
      { prepare: 'failed', vision: 'skipped', status: 'failed' },
    ]);
    await analyst.analyse(id);
    expect(await look()).toMatchObject({ status: 'partial', events: ['item.failed'] });
  });

  it('reports how long it still has to wait', async () => {
    await analyst.put(id, textItem());
    await plan();
    await deferStep(database.pool, work('summary'), ERROR);
    const { retryInMs } = (await plan()) ?? {};
    expect(retryInMs?.summary).toBeGreaterThan(590_000);
    expect(retryInMs?.summary).toBeLessThanOrEqual(600_000);
    await passTime();
    expect((await plan())?.retryInMs).toEqual({ summary: 0 });
  });
});

describe('simultaneous writes and results', () => {
  /** Yields pseudo-random numbers below 1 from a seed, so that a failure can be reproduced. */
  function* chances(seed: number): Generator<number> {
    for (let state = seed; ;) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      yield state / 2_147_483_648;
    }
  }

  // proves: decisions-items/older-result
  it('never leave an older result in place of a newer one', async () => {
    const chance = chances(7);
    const next = (below: number): number => Math.floor((chance.next().value as number) * below);
    for (let round = 0; round < 12; round += 1) {
      const itemId = `race-${round}`;
      await analyst.put(itemId, textItem({ body: 'r1' }));
      await planItem(database.pool, { projectId, itemId }, {});
      const stores: Promise<unknown>[] = [];
      for (let write = 2; write <= 8; write += 1) {
        const { steps } = await snapshot(database.pool, projectId, itemId);
        // Each worker computes from the revision that it saw, and may finish at any later time.
        const { revision } = steps.summary;
        for (let worker = 0; worker < 1 + next(3); worker += 1) {
          const late = new Promise((resolve) => setTimeout(resolve, next(12)));
          stores.push(late.then(() => analyst.finish(itemId, 'summary', { revision, text: `r${revision}` })));
          stores.push(late.then(() => analyst.finish(itemId, 'embedding', { revision, text: `r${revision}` })));
        }
        stores.push(
          putItem(database.pool, {
            projectId,
            itemId,
            content: textItem({ body: `r${write}` }),
            origin: 'api',
            requestId: null,
          }),
        );
        if (next(2) === 0) await Promise.all(stores.splice(0));
      }
      await Promise.all(stores);
      const after = await snapshot(database.pool, projectId, itemId);
      const { rows } = await database.pool.query<{ body: string; summary: string | null; chunk: string | null }>(
        `select body, (select s.summary ->> 'summary' from item_summaries s where s.item_id = i.id) as summary,
                (select c.text from item_chunks c where c.item_id = i.id) as chunk from items i where id = $1`,
        [itemId],
      );
      const [row] = rows;
      expect(after.revision).toBe(8);
      if (after.steps.summary.state === 'done') expect(row?.summary).toBe('r8');
      if (after.steps.embedding.state === 'done') expect(row?.chunk).toBe('r8');
      await analyst.finish(itemId, 'summary', { text: 'r8' });
      await analyst.finish(itemId, 'embedding', { text: 'r8' });
      expect(await snapshot(database.pool, projectId, itemId)).toMatchObject({ status: 'ready' });
    }
  });
});
