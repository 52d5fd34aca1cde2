/** Reruns (domain/items/reruns.ts): one row each, processed page by page along the primary key of the items. */
import type pg from 'pg';
import { PRIORITY } from '../../domain/jobs/queues.ts';
import {
  stepsToRedo,
  type RerunCandidate,
  type RerunFilter,
  type RerunPage,
  type RerunReason,
  type RerunState,
  RERUN_RECORD_SECONDS,
} from '../../domain/items/reruns.ts';
import type { ItemOperation } from '../../domain/items/decideOperation.ts';
import { withAllSteps, type StepRecords } from '../../domain/analysis/steps.ts';
import { isProjectActive } from '../activeProject.ts';
import { applyItemOperations } from '../items/applyOperations.ts';
import { closeJob, openJob } from '../jobs/jobs.ts';
import { inTransaction, type Queryable } from '../pool.ts';

export interface StoredRerun {
  id: string;
  reason: RerunReason;
  filter: RerunFilter;
  state: RerunState;
  cancelledAt: Date | null;
  seen: number;
  done: number;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = `id, reason, filter, state, cancelled_at as "cancelledAt", seen, done, created_at as "createdAt", updated_at as "updatedAt"`;

export type RerunRefusal = 'unknown_project' | 'inactive_project' | 'running';

/**
 * Opens a rerun that somebody requested, with its job, unless another requested one runs. The states of the project and
 * its client stay as they were found until the transaction ends: a concurrent change finds the rerun
 * ({@link cancelReruns}).
 */
export function openRerun(
  pool: pg.Pool,
  { projectId, filter, requestId }: { projectId: string; filter: RerunFilter; requestId: string | null },
): Promise<StoredRerun | RerunRefusal> {
  return inTransaction(pool, async (client) => {
    const isActive = await isProjectActive(client, projectId, { isLocked: true });
    if (isActive === null) return 'unknown_project';
    if (!isActive) return 'inactive_project';
    const { rows } = await client.query<StoredRerun>(
      `insert into reruns (project_id, reason, filter, request_id) values ($1, 'request', $2, $3)
       on conflict (project_id) where reason = 'request' and state = 'running' do nothing returning ${COLUMNS}`,
      [projectId, filter, requestId],
    );
    if (!rows[0]) return 'running';
    await openJob(client, { kind: 'rerun', projectId, entityId: rows[0].id, priority: PRIORITY.job, requestId });
    return rows[0];
  });
}

export async function findRerun(pool: Queryable, projectId: string, id: string): Promise<StoredRerun | null> {
  const { rows } = await pool.query<StoredRerun>(`select ${COLUMNS} from reruns where project_id = $1 and id = $2`, [
    projectId,
    id,
  ]);
  return rows[0] ?? null;
}

/** Returns reruns, the newest first; `after` is the last id of the previous page. */
export async function listReruns(
  pool: Queryable,
  projectId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<StoredRerun[]> {
  const { rows } = await pool.query<StoredRerun>(
    `select ${COLUMNS} from reruns where project_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [projectId, after, limit],
  );
  return rows;
}

/**
 * Cancels a running rerun; its next page ends the workflow and the job. Steps that are already queued stay so. A rerun
 * that has ended is left as it is.
 * @returns null when there is none
 */
export async function cancelRerun(pool: Queryable, projectId: string, id: string): Promise<StoredRerun | null> {
  await pool.query(
    `update reruns set state = 'done', cancelled_at = now(), updated_at = now()
      where project_id = $1 and id = $2 and state = 'running'`,
    [projectId, id],
  );
  return findRerun(pool, projectId, id);
}

/**
 * Cancels requested reruns in the transaction that stops their project or client, after that change.
 * @param ofModels true to cancel also those that changes of models started: the project will be compared when it comes
 * back
 */
export async function cancelReruns(
  client: Queryable,
  scope: { projectId: string } | { clientId: string },
  { ofModels }: { ofModels: boolean },
): Promise<void> {
  await client.query(
    `update reruns set state = 'done', cancelled_at = now(), updated_at = now()
      where state = 'running' and (reason = 'request' or $3) and ($1::text is null or project_id = $1)
        and ($2::uuid is null or project_id in (select id from projects where client_id = $2))`,
    ['projectId' in scope ? scope.projectId : null, 'clientId' in scope ? scope.clientId : null, ofModels],
  );
}

interface LockedRerun extends StoredRerun {
  position: string;
  round: number;
  roundDone: number;
  requestId: string | null;
}

/** Number of items that one page reads, whether or not it queues them. */
const SCAN = 1_000;
/** A page queues the work of 10 s, and at most this many items, to bound the rows that one transaction touches. */
const PAGE_SECONDS = 10;
const MAX_ITEMS = 500;
/**
 * While processes are replaced, a process with the old models may still have computed queued items. So the items are
 * scanned again, until nothing is found or this many rounds have passed.
 */
const MAX_ROUNDS = 3;

export interface RerunPace {
  itemsPerSecond: number;
  /** Pause before another round, in which the last queued steps and the old processes can end. */
  roundPauseMs: number;
}

/**
 * Processes the next page in one transaction, which also moves the position: after a crash the page runs as if for the
 * first time, and a finished page never runs again.
 */
export function rerunPage(pool: pg.Pool, projectId: string, rerunId: string, pace: RerunPace): Promise<RerunPage> {
  return inTransaction(pool, async (client) => {
    const rerun = await lockRerun(client, projectId, rerunId);
    const page =
      rerun?.state === 'running'
        ? await doPage(client, projectId, rerun, pace)
        : { isDone: true, seen: rerun?.seen ?? 0, done: rerun?.done ?? 0, pauseMs: 0 };
    if (page.isDone) await closeJob(client, { projectId, kind: 'rerun', entityId: rerunId });
    return page;
  });
}

async function doPage(
  client: pg.PoolClient,
  projectId: string,
  rerun: LockedRerun,
  { itemsPerSecond, roundPauseMs }: RerunPace,
): Promise<RerunPage> {
  const scan = await readCandidates(client, projectId, rerun.position);
  const maxItems = Math.min(MAX_ITEMS, Math.max(1, Math.round(itemsPerSecond * PAGE_SECONDS)));
  const matching = scan.filter((item) => stepsToRedo(rerun.filter, item) !== null).slice(0, maxItems);
  const queued = await queue(
    client,
    projectId,
    rerun,
    matching.map(({ id }) => id),
  );
  const { position, count, isEnd } = extent(scan, matching, maxItems);
  const goesRound = isEnd && 'models' in rerun.filter && rerun.roundDone + queued > 0 && rerun.round < MAX_ROUNDS;
  const isDone = isEnd && !goesRound;
  const seen = rerun.round === 1 ? count : 0;
  await move(client, projectId, rerun, { position: goesRound ? '' : position, seen, queued, goesRound, isDone });
  const pauseMs = goesRound ? roundPauseMs : Math.round((queued / itemsPerSecond) * 1_000);
  return { isDone, seen: rerun.seen + seen, done: rerun.done + queued, pauseMs: isDone ? 0 : pauseMs };
}

/** Returns how far a page goes: to the last item that it queues, or to the end of the rows that it read. */
function extent(
  scan: readonly (RerunCandidate & { id: string })[],
  matching: readonly { id: string }[],
  maxItems: number,
): { position: string | null; count: number; isEnd: boolean } {
  const last = matching.length === maxItems ? matching.at(-1) : scan.at(-1);
  const count = last ? scan.findIndex(({ id }) => id === last.id) + 1 : 0;
  return { position: last?.id ?? null, count, isEnd: count === scan.length && scan.length < SCAN };
}

async function lockRerun(client: pg.PoolClient, projectId: string, rerunId: string): Promise<LockedRerun | null> {
  const { rows } = await client.query<LockedRerun>(
    `select ${COLUMNS}, position, round, round_done as "roundDone", request_id as "requestId" from reruns where project_id = $1 and id = $2 for update`,
    [projectId, rerunId],
  );
  return rows[0] ?? null;
}

async function readCandidates(
  client: pg.PoolClient,
  projectId: string,
  after: string,
): Promise<(RerunCandidate & { id: string })[]> {
  const { rows } = await client.query<StoredCandidate>({
    name: 'rerun-candidates',
    text: `select id, origin, deleted, status, steps from items where project_id = $1 and id > $2 order by id limit ${SCAN}`,
    values: [projectId, after],
  });
  return rows.map(candidateOf);
}

type StoredCandidate = Omit<RerunCandidate, 'steps'> & { id: string; steps: Partial<StepRecords> };

function candidateOf(stored: StoredCandidate): RerunCandidate & { id: string } {
  return { ...stored, steps: withAllSteps(stored.steps) };
}

/** Invalidates the steps that still match once their items are locked. */
async function queue(
  client: pg.PoolClient,
  projectId: string,
  { filter, requestId }: LockedRerun,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await client.query<StoredCandidate>(
    'select id, origin, deleted, status, steps from items where project_id = $1 and id = any($2) order by id for update',
    [projectId, ids],
  );
  const operations = rows.map(candidateOf).flatMap((item): ItemOperation[] => {
    const steps = stepsToRedo(filter, item);
    return steps === null ? [] : [{ op: 'reprocess', id: item.id, steps: steps === 'all' ? null : steps }];
  });
  const results = await applyItemOperations(
    client,
    { projectId, origin: 'api', priority: PRIORITY.bulk, requestId },
    operations,
  );
  return results.filter(({ outcome }) => outcome === 'queued').length;
}

interface Move {
  position: string | null;
  seen: number;
  queued: number;
  goesRound: boolean;
  isDone: boolean;
}

async function move(
  client: pg.PoolClient,
  projectId: string,
  rerun: LockedRerun,
  { position, seen, queued, goesRound, isDone }: Move,
): Promise<void> {
  await client.query(
    `update reruns set position = coalesce($3, position), seen = seen + $4, done = done + $5,
            round = round + $6::boolean::int, round_done = case when $6 then 0 else round_done + $5 end,
            state = case when $7 then 'done' else state end, updated_at = now()
      where project_id = $1 and id = $2`,
    [projectId, rerun.id, position, seen, queued, goesRound, isDone],
  );
}

/** Removes reruns that ended long ago, at most `limit` of them; returns how many. */
export async function deleteOldReruns(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from reruns where (project_id, id) in (
       select project_id, id from reruns where state <> 'running' and updated_at < now() - $1::int * interval '1 second' limit $2)`,
    [RERUN_RECORD_SECONDS, limit],
  );
  return rowCount ?? 0;
}
