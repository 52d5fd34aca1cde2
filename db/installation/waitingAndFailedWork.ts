/**
 * Waiting and failed work of the whole installation, by kind. An operator looks at it while something is wrong, perhaps
 * with a backlog of millions: every count ends at {@link MAX_COUNTED}, and every list is the beginning of an index.
 */
import type { JobKind } from '../../domain/jobs/jobs.ts';
import { headsOf } from '../webhooks/deliveries/webhooksInLane.ts';
import { IS_UNFINISHED } from '../itemStatuses.ts';
import type { Queryable } from '../pool.ts';

export const MAX_COUNTED = 1_000;
/** Number of days for which failures are shown. */
export const FAILED_DAYS = 7;
/** Number of entries in each list. */
const SHOWN = 5;
/**
 * Maximum number of rows read: of the stopped items of a project (db/installation/failedItemsAndSilentSites.ts), and of
 * the undelivered events of a webhook.
 */
const WINDOW = 200;

/** One piece of work that waits or has failed. */
export interface WorkEntry {
  at: Date;
  projectId: string | null;
  siteId: string | null;
  /** Null when it would name a person, or there is none. */
  id: string | null;
}

export interface Work {
  count: number;
  entries: WorkEntry[];
}

type Kind = 'items' | 'deliveries' | 'exports' | 'deletions' | 'garbage' | JobKind;

export interface WaitingWork extends Work {
  kind: Kind;
}

const AS_JSON = (rows: string, order: string): string =>
  `coalesce((select json_agg(r order by r.at ${order}) from (${rows}) r), '[]') as entries`;

/**
 * Returns a query of a count up to the limit, and of the first rows.
 * @param from the source of the rows, with its condition
 */
const counted = (kind: Kind, from: string, columns: string, orderBy: string): string => `
  select '${kind}' as kind, (select count(*)::int from (select from ${from} limit ${MAX_COUNTED}) c) as count,
         ${AS_JSON(`select ${columns} from ${from} order by ${orderBy} limit ${SHOWN}`, 'asc')}`;

const NO_SITE = 'null::text as "siteId"';
const NO_PROJECT = 'null::text as "projectId"';

const ITEMS = counted(
  'items',
  `items where ${IS_UNFINISHED} and not deleted and not waiting`,
  `updated_at as at, project_id as "projectId", ${NO_SITE}, id`,
  'updated_at',
);

const EXPORTS = counted(
  'exports',
  `report_exports where state in ('queued', 'running')`,
  `created_at as at, ${NO_PROJECT}, site_id as "siteId", id::text as id`,
  'created_at',
);

const DELETIONS = counted(
  'deletions',
  `(select site_id, requested_at from visitor_deletions union all select site_id, requested_at from user_deletions) d`,
  `requested_at as at, ${NO_PROJECT}, site_id as "siteId", null::text as id`,
  'requested_at',
);

const GARBAGE = counted(
  'garbage',
  `blob_garbage where after < now()`,
  `after as at, project_id as "projectId", ${NO_SITE}, folder as id`,
  'after',
);

/** Deliveries that are due now. It steps from webhook to webhook, so that a long backlog of one costs a single step. */
const DELIVERIES = `
  select 'deliveries' as kind,
         (select count(*)::int from (select from deliveries where lane in ('first', 'urgent', 'retry') limit ${MAX_COUNTED}) c) as count,
         ${AS_JSON(
           `select d.at, h.project_id as "projectId", ${NO_SITE}, d.id::text as id
              from retry_heads h
             cross join lateral (
               select id, next_attempt_at as at from deliveries
                where lane = 'retry' and project_id = h.project_id and webhook_id = h.webhook_id
                order by next_attempt_at limit 1) d
             order by d.at limit ${SHOWN}`,
           'asc',
         )}`;

/** Returns the waiting work except jobs, one row for each kind, even when nothing waits. */
export async function readWaitingWork(pool: Queryable): Promise<WaitingWork[]> {
  const { rows } = await pool.query<WaitingWork>({
    name: 'installation-waiting',
    text: `with recursive retry_heads as (${headsOf('retry', 'retry_heads')})
           ${[ITEMS, DELIVERIES, EXPORTS, DELETIONS, GARBAGE].join(' union all ')}`,
  });
  return rows.map(withDates);
}

/**
 * Returns open jobs by kind, without kinds that have none. When there are more than {@link MAX_COUNTED} jobs, only the
 * oldest are read.
 */
export async function readOpenJobs(pool: Queryable): Promise<(Work & { kind: JobKind })[]> {
  const { rows } = await pool.query<Work & { kind: JobKind }>({
    name: 'installation-jobs',
    text: `with oldest as materialized (
             select kind, project_id, entity_id, created_at, row_number() over (partition by kind order by created_at) as ordinal
               from (select kind, project_id, entity_id, created_at from jobs order by created_at limit ${MAX_COUNTED}) j)
           select kind, count(*)::int as count,
                  json_agg(json_build_object('at', created_at, 'projectId', project_id, 'siteId', null, 'id', entity_id)
                           order by created_at) filter (where ordinal <= ${SHOWN}) as entries
             from oldest group by kind order by kind`,
  });
  return rows.map(withDates);
}

export interface FailedWork extends Work {
  kind: 'items' | 'deliveries' | 'import' | 'exports' | 'training';
}

/** The latest failure of each project represents the others, which the page of its items lists. */
const FAILED_ITEMS = `
  select 'items' as kind, least(coalesce(sum(f.count), 0), ${MAX_COUNTED})::int as count,
         ${AS_JSON(`select last as at, project_id as "projectId", ${NO_SITE}, id from failed_items order by last desc limit ${SHOWN}`, 'desc')}
    from failed_items f`;

const FAILED_ITEMS_BY_PROJECT = `
  select p.id as project_id, f.count, f.last, f.id
    from projects p
   cross join lateral (
     select count(*)::int as count, max(updated_at) as last, (array_agg(id order by updated_at desc))[1] as id
       from (select id, status, deleted, updated_at from items
              where project_id = p.id and stopped and updated_at > now() - interval '${FAILED_DAYS} days'
              order by updated_at desc limit ${WINDOW}) i
      where status = 'failed' and not deleted) f
   where p.state = 'active' and f.count > 0`;

const FAILED_DELIVERIES_BY_WEBHOOK = `
  select w.project_id, f.count, f.last, f.id
    from webhooks w
   cross join lateral (
     select count(*)::int as count, max(created_at) as last, (array_agg(id order by created_at desc))[1] as id
       from (select id, created_at from deliveries
              where project_id = w.project_id and webhook_id = w.id and status in ('failed', 'dropped')
                and created_at > now() - interval '${FAILED_DAYS} days'
              order by created_at desc, id desc limit ${WINDOW}) d) f
   where w.deleted_at is null and f.count > 0`;

const FAILED_DELIVERIES = `
  select 'deliveries' as kind, least(coalesce(sum(f.count), 0), ${MAX_COUNTED})::int as count,
         ${AS_JSON(`select last as at, project_id as "projectId", ${NO_SITE}, id::text as id from failed_deliveries order by last desc limit ${SHOWN}`, 'desc')}
    from failed_deliveries f`;

const failed = (kind: FailedWork['kind'], from: string, columns: string, orderBy: string): string => `
  select '${kind}' as kind, (select count(*)::int from (select from ${from} limit ${MAX_COUNTED}) c) as count,
         ${AS_JSON(`select ${columns} from ${from} order by ${orderBy} desc limit ${SHOWN}`, 'desc')}`;

const LATELY = `interval '${FAILED_DAYS} days'`;

const FAILED_IMPORTS = failed(
  'import',
  `imports where state = 'failed' and finished_at > now() - ${LATELY}`,
  `finished_at as at, project_id as "projectId", ${NO_SITE}, id::text as id`,
  'finished_at',
);

const FAILED_EXPORTS = failed(
  'exports',
  `report_exports where state = 'failed' and created_at > now() - ${LATELY}`,
  `finished_at as at, ${NO_PROJECT}, site_id as "siteId", id::text as id`,
  'created_at',
);

const FAILED_TRAININGS = failed(
  'training',
  `output_models where state = 'failed' and blob_key is null and finished_at > now() - ${LATELY}`,
  `finished_at as at, project_id as "projectId", ${NO_SITE}, id::text as id`,
  'finished_at',
);

/** Returns the failures of the last days, the latest first. */
export async function readFailedWork(pool: Queryable): Promise<FailedWork[]> {
  const { rows } = await pool.query<FailedWork>({
    name: 'installation-failed',
    text: `with failed_items as materialized (${FAILED_ITEMS_BY_PROJECT}),
                failed_deliveries as materialized (${FAILED_DELIVERIES_BY_WEBHOOK})
           ${[FAILED_ITEMS, FAILED_DELIVERIES, FAILED_IMPORTS, FAILED_EXPORTS, FAILED_TRAININGS].join(' union all ')}`,
  });
  return rows.map(withDates);
}

/** Converts times within JSON, which arrive as texts, to dates. */
function withDates<T extends Work>(row: T): T {
  return { ...row, entries: row.entries.map((entry) => ({ ...entry, at: new Date(entry.at) })) };
}
