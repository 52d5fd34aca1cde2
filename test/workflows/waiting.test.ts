/** Analysis that waits for volume, with the real workflow, relay and database. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { updateProject } from '../../db/accounts/projects.ts';
import { deleteItem, putItem } from '../../db/items/writeItems.ts';
import { itemWorkflowId } from '../../domain/jobs/ids.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { resumeWaiting } from '../../loops/relay/resumeVolume.ts';
import { relayOnce, startAnalysis } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFakeProviders } from '../support/items/fakeProviders.ts';
import { addSilentWebhook, plain, snapshot } from '../support/items/items.ts';
import { createTestProject, textItem } from '../support/project.ts';
import { keepHistory } from '../support/workflows/replay.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const logger = createLogger('test', 'silent');

let database: TestDatabase;
let temporal: TestTemporal;
let stop: () => Promise<void>;
let projectId: string;
let now = new Date('2026-11-21T12:00:00Z');
const providers = createFakeProviders();

beforeAll(async () => {
  database = await createTestDatabase();
  temporal = await createTestTemporal();
  stop = await startAnalysis({ pool: database.pool, ...temporal, providers, clock: () => now });
});
afterAll(async () => {
  await stop?.();
  await temporal?.close();
  await database?.drop();
});
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
  await addSilentWebhook(database.pool, projectId);
  now = new Date('2026-11-21T12:00:00Z');
});

const handle = (itemId: string) => temporal.client.workflow.getHandle(itemWorkflowId(projectId, itemId));
const put = (itemId: string, title = 'Заголовок') =>
  putItem(database.pool, { projectId, itemId, content: textItem({ title }), origin: 'api', requestId: null });
const limit = (monthlyVolume: number | null) => updateProject(database.pool, projectId, { monthlyVolume });
const resume = () => resumeWaiting({ pool: database.pool, logger, now: () => now });
const look = (itemId: string) => snapshot(database.pool, projectId, itemId);

/** Relays everything and waits until no workflow runs any more. */
async function settle(): Promise<string[]> {
  const handed = await relayOnce(database.pool, temporal.client);
  await Promise.all(handed.map((id) => handle(id).result()));
  return handed;
}

const idsOf = async (status: string) =>
  (await Promise.all(IDS.map(look))).filter((item) => item.status === status).length;

describe('a volume of three', () => {
  it('lets three of five texts through, and finishes the others by itself when it is raised', async () => {
    await limit(3);
    for (const id of IDS) await put(id);
    await settle();
    expect([await idsOf('ready'), await idsOf('queued')]).toEqual([3, 2]);
    const waiting = (await Promise.all(IDS.map(look))).filter((item) => item.status === 'queued');
    expect(waiting.map((item) => plain(item.steps))).toEqual(
      [0, 1].map(() => ({
        prepare: 'skipped',
        speech: 'skipped',
        vision: 'skipped',
        summary: 'waiting',
        embedding: 'waiting',
      })),
    );
    expect([await resume(), await settle()]).toEqual([{ resumed: 0, hasMore: false }, []]);
    await limit(4);
    expect(await resume()).toEqual({ resumed: 1, hasMore: false });
    await settle();
    expect([await idsOf('ready'), await idsOf('queued')]).toEqual([4, 1]);
    await limit(null);
    await resume();
    await settle();
    expect(await idsOf('ready')).toBe(5);
    expect((await Promise.all(IDS.map(look))).map(({ events }) => events)).toEqual(IDS.map(() => ['item.processed']));
  });

  // proves: decisions-volume/month
  it('is available again in a new month', async () => {
    await limit(3);
    for (const id of IDS) await put(id);
    await settle();
    now = new Date('2026-11-30T21:00:00Z');
    expect(await resume()).toEqual({ resumed: 2, hasMore: false });
    await settle();
    expect(await idsOf('ready')).toBe(5);
    const { rows } = await database.pool.query(
      'select month::text, used::int, reserved::int from analysis_volume where project_id = $1 order by month',
      [projectId],
    );
    expect(rows).toEqual([
      { month: '2026-11-01', used: 3, reserved: 0 },
      { month: '2026-12-01', used: 2, reserved: 0 },
    ]);
  });
});

describe('an item that waits for volume', () => {
  it('has no running workflow, and accepts writes and deletions', async () => {
    await limit(0);
    await put('a');
    await settle();
    await keepHistory('item-waiting', handle('a'));
    expect((await handle('a').describe()).status.name).toBe('COMPLETED');
    await put('a', 'Другой заголовок');
    expect(await settle()).toEqual(['a']);
    expect(await look('a')).toMatchObject({
      revision: 2,
      status: 'queued',
      steps: { summary: { state: 'waiting', units: 1 } },
    });
    await deleteItem(database.pool, { projectId, itemId: 'a' });
    await settle();
    await limit(5);
    expect(await resume()).toEqual({ resumed: 0, hasMore: false });
  });

  it('fails for its own reasons only: a failed step returns its units to the next item', async () => {
    await limit(1);
    const embedding = providers.embedding;
    const summary = providers.summary;
    Object.assign(providers, { summary: undefined, embedding: undefined });
    await put('a');
    await put('b');
    await settle();
    Object.assign(providers, { summary, embedding });
    expect((await Promise.all(['a', 'b'].map(look))).map(({ status }) => status).sort()).toEqual(['failed', 'queued']);
    expect(await resume()).toEqual({ resumed: 1, hasMore: false });
    await settle();
    expect((await Promise.all(['a', 'b'].map(look))).map(({ status }) => status).sort()).toEqual(['failed', 'ready']);
  });
});
