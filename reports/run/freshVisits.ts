/** Visits that the lake does not have as they are, read from PostgreSQL together with the lake's newest snapshot. */
import { shardOf } from '../../domain/shards.ts';
import type { LakeConnection } from '../lake/connection.ts';
import { CATALOGUE_SCHEMA, connectionWords, literal, SITES_DATABASE } from '../lake/database.ts';
import type { LakeSettings } from '../lake/settings.ts';
import { definitions, fromJson, quoted, TABLES } from '../lake/tables.ts';

/** The temporary table that a report reads beside `lake.visits`, with the same columns. */
export const FRESH_VISITS = 'fresh_visits';
const RAW = 'fresh_states';

/** What a report may be of: epoch milliseconds, the end not included. */
export interface Span {
  from: number;
  to: number;
}

export interface Fresh {
  /** The lake as it was when the visits were read: reads at this version and they lose and double nothing. */
  snapshot: number;
  visits: number;
}

/** PostgreSQL by its own name, read-only; once an instance. */
export async function attachSites(connection: LakeConnection, settings: LakeSettings): Promise<void> {
  await connection.query(`attach if not exists ${literal(connectionWords(settings, 'attune-reports'))} as ${SITES_DATABASE} (type postgres, read_only, secret lake_catalogue)`);
}

/**
 * Fills `fresh_visits`: of the site the visits that are open, that have changed since they went to the lake, or that
 * are staged and not committed. Within a transaction of DuckDB, which has one snapshot of PostgreSQL; the lake's
 * catalogue is there too, so the snapshot's number is of that same moment.
 * @param span that visits are looked for in; facts are of visits before it, so it begins 90 days before a report's period
 */
export async function loadFreshVisits(connection: LakeConnection, siteId: string, span: Span): Promise<Fresh> {
  await connection.query(`create or replace temp table ${RAW} as from postgres_query('${SITES_DATABASE}', ${literal(statesQuery(siteId, span))})`);
  await connection.query(`create or replace temp table ${FRESH_VISITS} (${definitions('visits', { strict: false })})`);
  const [found] = await connection.query<{ snapshot: bigint; states: bigint }>(`select max(snapshot) as snapshot, count(state) as states from ${RAW}`);
  if (found === undefined || found.snapshot === null) throw new Error('the lake has no snapshot');
  if (found.states > 0n) await connection.query(readStates());
  return { snapshot: Number(found.snapshot), visits: Number(found.states) };
}

/**
 * A visit counts while any of it is in the span: its row of the lake may begin there though it begins earlier by
 * now, and has to be left out. −1 in `lake_batch` is a visit that cannot go to the lake: it counts nowhere.
 */
function statesQuery(siteId: string, { from, to }: Span): string {
  const ofSpan = `site_id = ${literal(siteId)} and started_at < to_timestamp(${to} / 1000.0) and last_hit_at >= to_timestamp(${from} / 1000.0)`;
  return `
    with fresh as (
      select goals, state from site_visits where lake_batch is null and ${ofSpan}
      union all
      select goals, state from site_visits where ${ofSpan} and lake_batch = any(array(
        select batch_id from lake_batches where shard = ${shardOf(siteId)} and table_name = 'visits'))
    )
    select s.snapshot, f.goals, f.state::text as state
      from (select max(snapshot_id) as snapshot from ${CATALOGUE_SCHEMA}.ducklake_snapshot) s left join fresh f on true`;
}

/** As visitRow of domain/visits/visit.ts makes a row of what is stored (domain/visits/state.ts). */
function readStates(): string {
  const columns = Object.keys(TABLES.visits).map(quoted).join(', ');
  return `
    insert into ${FRESH_VISITS} (${columns})
    select ${fromJson('visits')} from (
      select * exclude (goals, is_bounce, told_goals), told_goals as goals, is_bounce and told_goals = 0 as is_bounce from (
        select unnest(from_json(state, ${literal(structure())})."row"), goals as told_goals from ${RAW} where state is not null))
    where visit_id is not null`;
}

/** Types in which the row's fields are read: times are epoch milliseconds. */
function structure(): string {
  const types = Object.entries(TABLES.visits).map(([name, { type }]) => [name, type === 'TIMESTAMP' ? 'BIGINT' : type]);
  return JSON.stringify({ row: Object.fromEntries(types) as Record<string, string> });
}
