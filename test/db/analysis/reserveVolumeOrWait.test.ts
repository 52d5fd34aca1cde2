import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recordUsage } from '../../../db/analysis/usage.ts';
import { closeAbandoned } from '../../../db/analysis/reserveVolumeOrWait.ts';
import { endMediumStep, storePrepared } from '../../../db/analysis/mediaSteps.ts';
import { deleteItem, patchItem } from '../../../db/items/writeItems.ts';
import type { ReservationCursor } from '../../../db/analysis/volume.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { Analyst, mediaItem, mediaOf, medium, prepared, PROVENANCE } from '../../support/items/items.ts';
import { withoutTriggers } from '../../support/unstamped.ts';
import { VolumeStage } from '../../support/items/volume.ts';

const NO_USAGE = { inputTokens: null, outputTokens: null, audioSeconds: null, images: null };
const ERROR = { code: 'provider_refused', message: 'нет' };

let database: TestDatabase;
let stage: VolumeStage;
let projectId: string;
let analyst: Analyst;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  stage = await VolumeStage.open(database.pool);
  projectId = stage.projectId;
  analyst = new Analyst(database.pool, projectId);
});

/** Puts an item with videos and prepares them. Speech and vision are next; they get units if the volume suffices. */
async function putPrepared(itemId: string, durations: readonly number[]): Promise<string[]> {
  await analyst.put(
    itemId,
    mediaItem(
      'video',
      durations.map((_, index) => medium('video', `${itemId}-${index}`)),
    ),
  );
  await stage.plan(itemId);
  const media = (await mediaOf(database.pool, projectId, itemId)).map(({ id }) => id);
  for (const [index, mediumId] of media.entries()) {
    await storePrepared(
      database.pool,
      { ...(await stage.work(itemId, 'prepare')), mediumId },
      { ...prepared(mediumId), durationSec: durations[index] ?? null },
    );
  }
  await stage.plan(itemId);
  return media;
}

describe('an item whose media wait for volume', () => {
  it('waits only for the media that it still has', async () => {
    await stage.limit(5);
    await putPrepared('v', [90 * 60, 30]);
    expect(await stage.flags('v')).toEqual({ waiting: true, units: 91 });
    await patchItem(database.pool, {
      projectId,
      itemId: 'v',
      patch: { media: [medium('video', 'v-1')] },
      requestId: null,
    });
    await stage.plan('v');
    expect(await stage.states('v')).toMatchObject({ speech: 'queued', vision: 'queued' });
    expect(await stage.volume()).toEqual({ used: 0, reserved: 1 });
  });
});

describe('abandoned units', () => {
  const rest = () =>
    withoutTriggers(database.pool, `update items set updated_at = now() - interval '2 minutes' where project_id = $1`, [
      projectId,
    ]);
  /** Runs all passes from the start, a few reservations at a time. */
  async function closeAll(): Promise<void> {
    let cursor: ReservationCursor | null = null;
    do ({ last: cursor } = await closeAbandoned(database.pool, cursor, 2));
    while (cursor !== null);
  }

  it('are given back after a while when the item was deleted and no plan came', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await stage.put(id).then(() => stage.plan(id));
    for (const id of ['b', 'd']) await deleteItem(database.pool, { projectId, itemId: id });
    await closeAll();
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 0, reserved: 4 }, 4]);
    await rest();
    await closeAll();
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 0, reserved: 2 }, 2]);
  });

  it('stay recorded as used if a provider had answered before the item was deleted', async () => {
    await stage.put('a');
    await stage.plan('a');
    await recordUsage(database.pool, await stage.work('a', 'summary'), PROVENANCE, NO_USAGE);
    await deleteItem(database.pool, { projectId, itemId: 'a' });
    await rest();
    await closeAll();
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 1, reserved: 0 }, 1]);
  });

  it('are counted or given back when the steps of an item are over and their plan was lost', async () => {
    const [first = '', second = ''] = await putPrepared('v', [30, 90]);
    for (const step of ['speech', 'vision'] as const) {
      await analyst.doMedium({ ...(await stage.work('v', step)), mediumId: first });
      await endMediumStep(database.pool, { ...(await stage.work('v', step)), step, mediumId: second }, 'failed', ERROR);
    }
    await rest();
    await closeAll();
    expect(await stage.volume()).toEqual({ used: 0, reserved: 3 });
    await database.pool.query(
      `update items set steps = (select jsonb_object_agg(key, jsonb_set(value, '{state}', '"done"')) from jsonb_each(steps)) where project_id = $1`,
      [projectId],
    );
    await closeAll();
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 1, reserved: 0 }, 0]);
  });
});
