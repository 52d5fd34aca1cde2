/** Accepted data is in the lake exactly once, whichever process dies at whatever point. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CollectedRequest } from '../../../db/collect/storeCollected.ts';
import { createPool } from '../../../db/pool.ts';
import { FAULT_POINTS, type FaultPoint } from '../../../loops/ingest/ingestBatch.ts';
import type { IngestSettings } from '../../../loops/ingest/ingest.ts';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { resolveEngine } from '../../../tools/scripts/engines/index.ts';
import { startPostgres } from '../../../tools/scripts/engines/servers/postgres.ts';
import { copyCluster } from '../../support/servers/cluster.ts';
import { createTestDatabase, PATIENT_POOL, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import type { ChildOrder } from './support/child.ts';
import { addSite, collect, compareHits, isInLake, readTotals, traffic } from './support/inbox.ts';

const SEED = Number(process.env['CRASH_SEED'] ?? 20);

/** Returns Park and Miller's generator: the same numbers in every run with the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const children: ChildProcess[] = [];

function start(settings: IngestSettings, point: FaultPoint | null = null, after = 1): ChildProcess {
  const order: ChildOrder = { settings, point, after };
  const child = fork(join(import.meta.dirname, 'support/child.ts'), [JSON.stringify(order)], {
    silent: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  child.stderr?.pipe(process.stderr);
  child.stdout?.resume();
  children.push(child);
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = ended(child);
  child.kill('SIGKILL');
  await exit;
}

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
});

const settingsOf = (databaseUrl: string, { settings }: TestLake, loops = 1): IngestSettings => ({
  databaseUrl,
  lake: settings,
  enrich: { cityDatabase: null, dataCentres: null },
  loops,
  lakeCommitMs: 100,
});

describe('an ingest process that is killed', () => {
  let database: TestDatabase;
  let testLake: TestLake;
  const sent: CollectedRequest[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    testLake = await openTestLake(database.url);
  });
  afterAll(async () => {
    await testLake?.close();
    await database.drop();
  });

  const expectAllOnce = async (): Promise<void> => {
    await eventually(() => isInLake(database.pool), 'everything in the lake');
    expect(await compareHits(testLake.lake, sent)).toEqual({ lost: 0, doubled: 0, strange: 0 });
    const { kept, lake } = await readTotals(database.pool, testLake.lake);
    expect(kept.hits).toBe(sent.flatMap(({ events }) => events).length);
    expect(lake).toEqual(kept);
  };

  // proves: decisions-storage/once, decisions-storage/staged
  it('at each point of its work, one process after another, loses and duplicates nothing', async () => {
    const sites = [await addSite(database.pool), await addSite(database.pool)];
    const settings = settingsOf(database.url, testLake);
    for (const point of FAULT_POINTS) {
      const requests = traffic(sites, 20);
      sent.push(...requests);
      await collect(database.pool, requests);
      await ended(start(settings, point));
    }
    const last = start(settings);
    await expectAllOnce();
    await kill(last);
  });

  it('at any moment, repeatedly, next to another one, loses and duplicates nothing', async () => {
    const requests = traffic(
      [await addSite(database.pool), await addSite(database.pool), await addSite(database.pool)],
      120,
    );
    sent.push(...requests);
    const settings = settingsOf(database.url, testLake, 2);
    const random = seeded(SEED);
    const steady = start(settings);
    for (let sentNow = 0; sentNow < requests.length; sentNow += 90) {
      const victim = start(settings);
      await once(victim, 'message');
      await collect(database.pool, requests.slice(sentNow, sentNow + 90));
      // A moment within the new work that differs from round to round.
      await new Promise((resolve) => {
        setTimeout(resolve, random() * 300);
      });
      await kill(victim);
    }
    await expectAllOnce();
    await kill(steady);
  });
});

// proves: decisions-storage/once
describe('a PostgreSQL that is killed', () => {
  it('in the middle of the work has lost and duplicated nothing when it is back', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'attune-ingest-'));
    await chmod(folder, 0o755);
    const binDir = await resolveEngine('postgres', { report: () => {}, env: process.env });
    await copyCluster(join(folder, 'postgres'));
    const port = await freePort();
    const startAgain = () => startPostgres({ binDir, dataDir: join(folder, 'postgres'), port, report: () => {} });
    let postgres = await startAgain();
    const pool = createPool({ databaseUrl: postgres.url, size: 4, applicationName: 'attune-test', ...PATIENT_POOL });
    const testLake = await openTestLake(postgres.url);
    try {
      const requests = traffic([await addSite(pool), await addSite(pool)], 150);
      await collect(pool, requests);
      start(settingsOf(postgres.url, testLake, 2));
      for (const left of [800, 400]) {
        await eventually(async () => {
          const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from collect_inbox');
          return (rows[0]?.count ?? 0) < left;
        }, `fewer than ${left} requests left`);
        // All its processes end at once, without flushing to disk.
        process.kill(postgres.pid, 'SIGQUIT');
        await postgres.exited;
        postgres = await startAgain();
      }
      await eventually(() => isInLake(pool).catch(() => false), 'everything in the lake');
      expect(await compareHits(testLake.lake, requests)).toEqual({ lost: 0, doubled: 0, strange: 0 });
      const { kept, lake } = await readTotals(pool, testLake.lake);
      expect(kept).toEqual({ visits: 450, hits: 1350, pageviews: 900, visitors: 150 });
      expect(lake).toEqual(kept);
    } finally {
      await Promise.all(children.splice(0).map(kill));
      await testLake.close();
      await pool.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
