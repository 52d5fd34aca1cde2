import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runExclusively } from '../../../db/advisoryLock.ts';
import { deleteItem } from '../../../db/items/writeItems.ts';
import { listen } from '../../../db/listen.ts';
import { createPool } from '../../../db/pool.ts';
import { VOLUME_CHANNEL } from '../../../db/analysis/volume.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { WakeUp } from '../../../platform/process/concurrency/wakeUp.ts';
import { resumeForever, resumeWaiting } from '../../../loops/relay/resumeVolume.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { withoutTriggers } from '../../support/unstamped.ts';
import { DECEMBER, NOVEMBER, VolumeStage } from '../../support/items/volume.ts';

const logger = createLogger('test', 'silent');

let database: TestDatabase;
let stage: VolumeStage;
let stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  stage = await VolumeStage.open(database.pool);
  await stage.limit(0);
  await stage.putWaiting(['a']);
});
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
  await stage.limit(0);
});

/** Runs the relay's loop over the given pool. It sleeps for an hour: only a notification begins a second pass. */
function run(pool = database.pool): void {
  const changed = new WakeUp();
  let stopping = false;
  const listener = listen(
    database.url,
    VOLUME_CHANNEL,
    () => changed.ring(),
    () => {},
  );
  const running = resumeForever({ pool, logger, now: () => NOVEMBER, pollMs: 3_600_000 }, changed, () => stopping);
  stops.push(async () => {
    stopping = true;
    changed.ring();
    await Promise.all([running, listener.close()]);
  });
}

const isQueued = async (): Promise<boolean> => (await stage.states('a')).summary === 'queued';

describe('resuming', () => {
  it('begins at once when the volume is raised, although the loop sleeps', async () => {
    run();
    // The listener rings once when it has connected; the change after that is the one that counts.
    await eventually(
      async () =>
        (
          await database.pool.query(
            `select from pg_stat_activity where application_name = 'attune-listen-volume' and query like 'listen%' and state = 'idle'`,
          )
        ).rowCount === 1,
      'the listener',
    );
    await stage.limit(1);
    await eventually(isQueued, 'the item to be queued');
    expect(await stage.flags('a')).toEqual({ waiting: false, units: null });
  });

  it('survives a database that is unavailable', async () => {
    const broken = createPool({
      databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
      size: 1,
      applicationName: 'attune-test-broken',
    });
    run(broken);
    await stage.limit(1);
    const pass = await resumeWaiting({ pool: database.pool, logger, now: () => NOVEMBER });
    expect(pass).toEqual({ resumed: 1, hasMore: false });
    stops.push(() => broken.end());
  });

  it('is done by one relay at a time', async () => {
    await stage.limit(1);
    await runExclusively(database.pool, 'volume', async () => {
      expect(await resumeWaiting({ pool: database.pool, logger, now: () => NOVEMBER })).toEqual({
        resumed: 0,
        hasMore: false,
      });
    });
    expect(await resumeWaiting({ pool: database.pool, logger, now: () => NOVEMBER })).toEqual({
      resumed: 1,
      hasMore: false,
    });
  });

  it('waits for the next month if another item has taken the volume of this one', async () => {
    await stage.limit(1);
    await stage.put('b');
    await stage.plan('b');
    expect(await resumeWaiting({ pool: database.pool, logger, now: () => NOVEMBER })).toMatchObject({ resumed: 0 });
    expect(await resumeWaiting({ pool: database.pool, logger, now: () => DECEMBER })).toMatchObject({ resumed: 1 });
  });

  it('returns units of a deleted item whose workflow was lost', async () => {
    await stage.limit(1);
    await stage.put('b');
    await stage.plan('b');
    await deleteItem(database.pool, { projectId: stage.projectId, itemId: 'b' });
    await withoutTriggers(
      database.pool,
      `update items set updated_at = now() - interval '2 minutes' where project_id = $1`,
      [stage.projectId],
    );
    run();
    await eventually(isQueued, 'the item that waits for the unit');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 0 });
  });

  it('is triggered by a change of the volume, and by no other change of a project', async () => {
    let rings = 0;
    const listener = listen(
      database.url,
      VOLUME_CHANNEL,
      () => (rings += 1),
      () => {},
    );
    stops.push(() => listener.close());
    await eventually(() => rings === 1, 'the listener');
    await database.pool.query(`update projects set title = 'other', monthly_volume = monthly_volume where id = $1`, [
      stage.projectId,
    ]);
    await stage.limit(2);
    await eventually(() => rings === 2, 'the change');
    expect(rings).toBe(2);
  });
});
