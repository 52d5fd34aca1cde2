/** The disk under the media folders is full: not one byte can be written. */
import { join } from 'node:path';
import { itemWorkflowId } from '../../../domain/jobs/ids.ts';
import { withoutTriggers } from '../../../test/support/unstamped.ts';
import { until } from '../../../test/support/whole/until.ts';
import type { Fault, FaultNotes, Stage } from '../fault.ts';
import { filesOn, orphanedKeys } from '../support/blobFiles.ts';
import { createSmallDisk, whyNoSmallDisk, type SmallDisk } from '../support/smallDisk.ts';

const MIB = 64;
/** Number of items that meet the fault: their quick retries take 26 s. */
const DEFERRED_ITEMS = 3;
const TIMEOUT_MS = 600_000;
/** Interval at which space that processes free is filled again. */
const TOP_UP_SECONDS = 1;

export const diskFull: Fault = createDiskFull();

function createDiskFull(): Fault {
  let disk: SmallDisk | null = null;
  return {
    name: 'disk-full',
    title:
      'the disk of the media and work folders is full (ENOSPC) until items with media have been deferred, then there is space again',
    brief: null,
    async cannot() {
      const why = await whyNoSmallDisk();
      return why === null ? null : `this machine does not allow a small file system to be made and filled (${why})`;
    },
    async setting() {
      const made = await createSmallDisk(MIB);
      disk = made;
      // The check for deferred items runs every other second instead of every minute.
      return {
        env: { BLOB_DIR: join(made.path, 'blobs'), WORK_DIR: join(made.path, 'work'), RECONCILE_INTERVAL_SECONDS: '2' },
        undo: () => made.remove(),
      };
    },
    inject(stage) {
      if (disk === null) throw new Error('there is no disk to fill');
      return fillAndEmpty(stage, disk);
    },
  };
}

async function fillAndEmpty(stage: Stage, disk: SmallDisk): Promise<FaultNotes> {
  const before = await textsReady(stage);
  const accepted = stage.load.counts.accepted;
  try {
    await disk.fill();
    const deadline = performance.now() + TIMEOUT_MS;
    while ((await listDeferred(stage)).length < DEFERRED_ITEMS) {
      if (performance.now() > deadline)
        throw new Error(`only ${(await listDeferred(stage)).length} items were deferred`);
      await stage.wait(TOP_UP_SECONDS);
      await disk.fill();
    }
  } finally {
    await disk.empty();
  }
  const texts = (await textsReady(stage)) - before;
  if (texts === 0) throw new Error('items without media were not analysed');
  const items = await listDeferred(stage);
  stage.log(`${items.length} items were deferred; ${texts} texts were analysed meanwhile`);
  await bringForward(stage, items);
  // The folder appears with its first file.
  const files = await until(
    'files',
    () => filesOn(join(disk.path, 'blobs')),
    (found) => found.length > 0,
    TIMEOUT_MS,
  );
  // Some met the full disk before it was emptied and were deferred afterwards.
  const known = new Set(items.map(({ id }) => id));
  const late = (await listDeferred(stage)).filter(({ id }) => !known.has(id));
  await bringForward(stage, late);
  const strangers = await orphanedKeys(stage.pool, files);
  if (strangers.length > 0)
    throw new Error(`nothing refers to ${strangers.length} files: ${strangers.slice(0, 3).join(', ')}`);
  return {
    'items deferred': items.length + late.length,
    'texts analysed meanwhile': texts,
    'accepted meanwhile': stage.load.counts.accepted - accepted,
  };
}

interface ItemRef {
  project_id: string;
  id: string;
}

async function listDeferred({ pool }: Stage): Promise<ItemRef[]> {
  const { rows } = await pool.query<ItemRef>(
    `select project_id, id from items where not deleted and steps -> 'prepare' ->> 'state' = 'deferred' and steps -> 'prepare' -> 'error' ->> 'code' = 'storage_full'`,
  );
  return rows;
}

async function textsReady({ pool }: Stage): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from items where type = 'text' and status = 'ready'`,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Ends the ten-minute deferral at once; the runner (runFault.ts) checks that the items finish. The rows' times are
 * moved, and the workflows are ended with their timers, which cannot be moved.
 */
async function bringForward({ pool, temporal }: Stage, items: readonly ItemRef[]): Promise<void> {
  await withoutTriggers(
    pool,
    `update items i set updated_at = updated_at - interval '10 minutes', steps = jsonb_set(steps, '{prepare,retryAt}', to_jsonb(to_char(now() at time zone 'utc' - interval '2 minutes', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
       from unnest($1::text[], $2::text[]) as o (project_id, id) where i.project_id = o.project_id and i.id = o.id`,
    [items.map((item) => item.project_id), items.map((item) => item.id)],
  );
  for (const { project_id: project, id } of items)
    await temporal.workflow
      .getHandle(itemWorkflowId(project, id))
      .terminate('its time is brought forward')
      .catch(() => {});
}
