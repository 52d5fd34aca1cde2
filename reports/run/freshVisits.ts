/** Visits whose current state is not in the lake, read from PostgreSQL together with the lake's newest snapshot. */
import { SET_ASIDE } from '../../db/lake/rowsSetAside.ts';
import { shardOf } from '../../domain/collect/shards.ts';
import type { Span } from '../compile/index.ts';
import type { LakeConnection } from '../lake/connection.ts';
import { CATALOGUE_SCHEMA, SITES_DATABASE } from '../lake/database.ts';
import { quotedText } from '../sql/quotedText.ts';
import { definitions, FRESH_VISITS, LEFT_OUT, quotedName, TABLES, valueFromJson } from '../lake/tables.ts';
import { isReadForSample, type Sample } from '../people/index.ts';
import { UUID } from '../../domain/uuid.ts';

const RAW = 'fresh_states';

export interface FreshVisitsQuery {
  /** The span of the visits. Facts may belong to earlier visits, so it begins 90 days before a report's period. */
  span: Span;
  /** Restricts the visits to a tenth. */
  sample?: Sample | null;
}

export interface Fresh {
  /** The lake's snapshot when the visits were read: reads at this version neither lose nor duplicate rows. */
  snapshot: number;
  visits: number;
  /** Number of visits that could not be put into the lake. */
  leftOut: number;
}

/**
 * Reads the site's visits that are open, have changed since they went to the lake, or are staged and not committed, for
 * {@link createFreshVisits}; and fills `left_out_visits` with those that could not go to the lake. Runs within a
 * transaction of DuckDB, which has one snapshot of PostgreSQL. The lake's catalogue is there too, so the snapshot's
 * number is of the same moment.
 */
export async function readFreshVisits(
  connection: LakeConnection,
  siteId: string,
  { span, sample = null }: FreshVisitsQuery,
): Promise<Fresh> {
  await connection.query(
    `create or replace temp table ${RAW} as from postgres_query('${SITES_DATABASE}', ${quotedText(statesQuery(siteId, span, sample))})`,
  );
  const [found] = await connection.query<{ snapshot: bigint; states: bigint; gone: bigint }>(
    `select max(snapshot) as snapshot, count(state) as states, count(left_out) as gone from ${RAW}`,
  );
  if (found === undefined || found.snapshot === null) throw new Error('the lake has no snapshot');
  if (found.gone > 0n)
    await connection.query(
      `create or replace temp table ${LEFT_OUT} as select left_out as visit_id from ${RAW} where left_out is not null`,
    );
  return { snapshot: Number(found.snapshot), visits: Number(found.states), leftOut: Number(found.gone) };
}

/**
 * Creates `fresh_visits` from the visits that {@link readFreshVisits} read last on the connection.
 * @param columns those that a statement names; the table always has `visit_id`. The three sources, of 16 fields each,
 * are most of the cost of reading a visit, and few reports use more than one
 */
export async function createFreshVisits(connection: LakeConnection, columns: ReadonlySet<string>): Promise<void> {
  const read = new Set([...columns, 'visit_id']);
  await connection.query(
    `create or replace temp table ${FRESH_VISITS} (${definitions('visits', { strict: false, columns: read })})`,
  );
  await connection.query(readStates(read));
}

/**
 * Selects visits that are in the span, even if only in part: the lake's row of a visit may begin there although the
 * visit begins earlier by now, and must be left out. Visits that were set aside or refused by the lake do not count,
 * nor do their hits. A refused row may not even be JSON, and its id may not be a UUID.
 */
function statesQuery(siteId: string, { from, to }: Span, sample: Sample | null): string {
  const ofSpan = `site_id = ${quotedText(siteId)} and started_at < to_timestamp(${to} / 1000.0) and last_hit_at >= to_timestamp(${from} / 1000.0)${sample === null ? '' : ` and ${isReadForSample(sample, siteId, 'site_visits.visitor_id')}`}`;
  return `
    with fresh as (
      select goals, state, null::uuid as left_out from site_visits where lake_batch is null and ${ofSpan}
      union all
      select goals, state, null from site_visits where ${ofSpan} and lake_batch = any(array(
        select batch_id from lake_batches where shard = ${shardOf(siteId)} and table_name = 'visits'))
      union all
      select null, null, visit_id from site_visits where lake_batch = ${SET_ASIDE} and ${ofSpan}
      union all
      select null, null, substring(row from '"visit_id":"(${UUID})"')::uuid from lake_failed where site_id = ${quotedText(siteId)} and table_name = 'visits'
    )
    select s.snapshot, f.goals, f.state::text as state, f.left_out
      from (select max(snapshot_id) as snapshot from ${CATALOGUE_SCHEMA}.ducklake_snapshot) s left join fresh f on true`;
}

/**
 * Converts stored states (domain/visits/visitState.ts) to rows as visitRow of domain/visits/visit.ts does. A condition
 * on a field would parse all JSON a second time.
 */
function readStates(columns: ReadonlySet<string>): string {
  const read = [...columns];
  const values = read.map((name) => OF_GOALS[name] ?? valueFromJson('visits', name));
  return `
    insert into ${FRESH_VISITS} (${read.map(quotedName).join(', ')})
    select ${values.join(', ')} from (select unnest(from_json(state, ${quotedText(structure(read))})."row"), goals as told_goals from ${RAW} where state is not null)`;
}

/** Fields that the stored row lacks, because goals are stored apart from the visit. */
const OF_GOALS: Readonly<Record<string, string>> = { goals: 'told_goals', is_bounce: 'is_bounce and told_goals = 0' };

/** Returns the types in which the row's fields are read: times are epoch milliseconds. */
function structure(columns: readonly string[]): string {
  const typeOf = (name: string): string | undefined => TABLES.visits[name]?.type;
  const types = columns.map((name) => [name, typeOf(name) === 'TIMESTAMP' ? 'BIGINT' : typeOf(name)]);
  return JSON.stringify({ row: Object.fromEntries(types) as Record<string, string> });
}
