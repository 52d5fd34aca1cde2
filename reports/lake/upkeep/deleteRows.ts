/** Deletes rows from the lake: rows past their retention, and rows of visitors and users to be forgotten. */
import type pg from 'pg';
import { readNow } from '../../../db/clock.ts';
import { ATTRIBUTION_DAYS } from '../../../domain/sites/attributionWindow.ts';
import type { LakeTable } from '../../../domain/reports/lakeRows.ts';
import { MIN_VISIT_DAYS } from '../../../db/sites/retention.ts';
import { DEFAULT_QUOTAS } from '../../../domain/sites/siteQuotas.ts';
import type { UserRef } from '../../../db/siteDeletions/userDeletions.ts';
import type { VisitorRef } from '../../../db/siteDeletions/visitorDeletionRequests.ts';
import { quotedText } from '../../sql/quotedText.ts';
import { inLakeTransaction, signCommit } from '../connection.ts';
import type { Lake } from '../openLake.ts';
import { FORMER_ROBOTS, recordFormerRobots } from '../formerRobots.ts';
import { LAYOUTS, layoutsOf } from '../layouts.ts';
import { FACT_TABLES, TABLE_NAMES, TIME_COLUMN } from '../tables.ts';
import { doUpkeep } from './doUpkeep.ts';
import { rewrite } from './mergeFiles.ts';

type KeptTable = LakeTable | typeof LAYOUTS;

/** Layouts precede hits, because hits find the layouts of a visitor. */
const KEPT_TABLES: readonly KeptTable[] = [LAYOUTS, ...TABLE_NAMES];

/**
 * Maximum time between the start of a visit and its facts; a refund may follow its purchase as long as the purchase is
 * kept.
 */
const ATTRIBUTION_MONTHS = Math.ceil(ATTRIBUTION_DAYS / 30);

const timeOf = (table: KeptTable): string => TIME_COLUMN[table === LAYOUTS ? 'hits' : table];

interface Deleted {
  Count: bigint;
}

/**
 * Deletes hits and visits past their site's retention, and facts past the retention of facts.
 * @param unusual sites by retention in months, where it differs from the usual one
 * @param options now in epoch milliseconds; a site that keeps its visits longer than `factMonths` keeps its facts as
 * long
 */
export async function deletePastRetention(
  lake: Lake,
  pool: pg.Pool,
  unusual: ReadonlyMap<number, readonly string[]>,
  { now, factMonths }: { now: number; factMonths: number },
): Promise<{ rows: number }> {
  const listed = [...unusual.values()].flat();
  const sites = [...unusual].map(([months, sites]) => ({
    months,
    condition: `site_id in (${sites.map(quotedText).join(', ')})`,
  }));
  sites.push({
    months: DEFAULT_QUOTAS.retention_months,
    condition: listed.length === 0 ? 'true' : `site_id not in (${listed.map(quotedText).join(', ')})`,
  });
  const ago = (time: string): string => `make_timestamp_ms(${now}) - interval '${time}'`;
  const youngest = ago(`${MIN_VISIT_DAYS} days`);
  let rows = 0;
  for (const { months, condition } of sites) {
    for (const table of KEPT_TABLES) {
      const kept = FACT_TABLES.some((facts) => facts === table) ? Math.max(months, factMonths) : months;
      const old = `${timeOf(table)} < ${ago(`${kept} months`)} and ${condition}`;
      rows += await deleteRows(lake, pool, table, old, table === 'visits' ? [recordFormerRobots(old, youngest)] : []);
    }
    const refundable = 2 * Math.max(months, factMonths) + ATTRIBUTION_MONTHS;
    await deleteRows(lake, pool, FORMER_ROBOTS, `started_at < ${ago(`${refundable} months`)} and ${condition}`);
  }
  return { rows };
}

export interface People {
  visitors: readonly VisitorRef[];
  users: readonly UserRef[];
}

interface Deletion {
  table: KeptTable;
  /** Condition on the rows, in SQL. */
  condition: string;
}

/**
 * Deletes visitors from every table and users from the facts, one month at a time, and rewrites the files that held
 * them. None of their data may still be in transit.
 */
export async function deletePeopleRows(lake: Lake, pool: pg.Pool, people: People): Promise<{ rows: number }> {
  const deletions = [...deletionsOfVisitors(people.visitors), ...deletionsOfUsers(people.users)];
  if (deletions.length === 0) return { rows: 0 };
  let rows = 0;
  for (const deletion of deletions) {
    for (const condition of await monthsOf(lake, deletion))
      rows += await deleteRows(lake, pool, deletion.table, condition);
  }
  for (const table of KEPT_TABLES) await rewrite(lake, pool, table, 0);
  return { rows };
}

/** Returns the condition for each month (a partition) that has matching rows. Commits need not wait for this search. */
async function monthsOf(lake: Lake, { table, condition }: Deletion): Promise<string[]> {
  const time = timeOf(table);
  const months = await lake.query<{ month: string }>(
    `select distinct date_trunc('month', ${time})::DATE::VARCHAR as month from lake.${table} where ${condition} order by month`,
  );
  return months.map(
    ({ month }) =>
      `${time} >= TIMESTAMP '${month}' and ${time} < TIMESTAMP '${month}' + interval '1 month' and ${condition}`,
  );
}

/**
 * Deletes rows.
 * @param before statements that record something about the rows, in the same transaction
 */
async function deleteRows(
  lake: Lake,
  pool: pg.Pool,
  table: KeptTable | typeof FORMER_ROBOTS,
  condition: string,
  before: readonly string[] = [],
): Promise<number> {
  return doUpkeep(pool, () =>
    lake.withConnection((connection) =>
      inLakeTransaction(connection, async () => {
        const begun = (await readNow(pool)).getTime() / 1_000;
        for (const statement of before) await connection.query(statement);
        const [deleted] = await connection.query<Deleted>(`delete from lake.${table} where ${condition}`);
        await signCommit(connection, { begun });
        return Number(deleted?.Count ?? 0);
      }),
    ),
  );
}

function deletionsOfVisitors(visitors: readonly VisitorRef[]): Deletion[] {
  const pairs = visitors.map(({ siteId, visitorId }) => `(${quotedText(siteId)}, ${quotedText(visitorId)}::UUID)`);
  return deletionsOf(KEPT_TABLES, 'visitor_id', visitors, pairs);
}

/** The visits of users are deleted with their visitors. */
function deletionsOfUsers(users: readonly UserRef[]): Deletion[] {
  return deletionsOf(
    FACT_TABLES,
    'user_id',
    users,
    users.map(({ siteId, userId }) => `(${quotedText(siteId)}, ${quotedText(userId)})`),
  );
}

function deletionsOf(
  tables: readonly KeptTable[],
  column: string,
  people: readonly { siteId: string }[],
  pairs: readonly string[],
): Deletion[] {
  if (people.length === 0) return [];
  const sites = [...new Set(people.map(({ siteId }) => quotedText(siteId)))].join(', ');
  const condition = `site_id in (${sites}) and (site_id, ${column}) in (values ${pairs.join(', ')})`;
  return tables.map((table) => ({
    table,
    condition: table === LAYOUTS ? `site_id in (${sites}) and ${layoutsOf(condition)}` : condition,
  }));
}
