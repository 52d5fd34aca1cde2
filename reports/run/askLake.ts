/** Common parts of all queries to the lake: an interruptible connection, and PostgreSQL read in one snapshot. */
import { peopleNeeds, sampleOf, visitsRead, type CompileContext, type Compiled } from '../compile/index.ts';
import type { InterruptibleConnection, QueryLimits } from '../lake/connection.ts';
import { attachSites } from '../lake/database.ts';
import type { Lake } from '../lake/index.ts';
import { loadPeople } from '../people/index.ts';
import type { ReportRequest, ReportSite } from '../reportRequest.ts';
import { DUCKDB } from '../sql/duckdb.ts';
import { createFreshVisits, readFreshVisits, type Fresh } from './freshVisits.ts';
import { interruptOn } from './interrupt.ts';

/**
 * Lends a connection.
 * @param signal interrupts the running statement and prevents further ones
 */
export async function withInterrupt<T>(
  lake: Lake,
  signal: AbortSignal | undefined,
  work: (connection: InterruptibleConnection) => Promise<T>,
): Promise<T> {
  return lake.withConnection(async (connection) => {
    const stopListening = interruptOn(connection, signal);
    try {
      return await work(withSignal(connection, signal));
    } finally {
      stopListening();
    }
  });
}

/** Starts no statement after the signal has aborted. */
function withSignal(connection: InterruptibleConnection, signal: AbortSignal | undefined): InterruptibleConnection {
  return {
    ...connection,
    async query<Row>(...asked: Parameters<InterruptibleConnection['query']>) {
      signal?.throwIfAborted();
      return connection.query<Row>(...asked);
    },
  };
}

type ReadOptions = Pick<CompileContext, 'sampled' | 'lateEventHours'>;

/**
 * Reads from PostgreSQL what the request needs in addition to the lake: the newest visits, and people.
 * @param more reads further data in the same snapshot
 */
export async function readPostgres<T>(
  lake: Lake,
  connection: InterruptibleConnection,
  request: ReportRequest,
  site: ReportSite,
  { sampled, lateEventHours }: ReadOptions,
  more: () => Promise<T>,
): Promise<{ fresh: Fresh; more: T }> {
  await connection.query(attachSites(lake.settings));
  return inOneTransaction(connection, async () => {
    const span = visitsRead(request, site.timezone, lateEventHours);
    const fresh = await readFreshVisits(connection, site.siteId, { span, sample: sampleOf(request, sampled) });
    await loadPeople(connection, site.siteId, peopleNeeds(request, sampled), sampled);
    return { fresh, more: await more() };
  });
}

/** Runs a statement that was compiled with what {@link readPostgres} read. */
export async function askLake<Row>(
  connection: InterruptibleConnection,
  { visits }: Fresh,
  { sql, params, visitColumns }: Compiled,
  limits?: QueryLimits,
): Promise<Row[]> {
  if (visits > 0) await createFreshVisits(connection, visitColumns);
  return inOneTransaction(connection, () => connection.query<Row>(sql, params, limits));
}

/**
 * Runs `work` in one transaction; otherwise a statement with parameters is planned and run in two. A connection on
 * which a transaction fails is not used again.
 */
export async function inOneTransaction<T>(connection: InterruptibleConnection, work: () => Promise<T>): Promise<T> {
  await connection.query('begin transaction');
  const result = await work();
  await connection.query('commit');
  return result;
}

/** Returns the context for the compiler, after PostgreSQL was read. */
export function contextOf(
  { snapshot, visits, leftOut }: Fresh,
  site: ReportSite,
  {
    sampled,
    lateEventHours,
    audienceMinPeople,
  }: Pick<CompileContext, 'sampled' | 'lateEventHours' | 'audienceMinPeople'>,
): CompileContext {
  return {
    dialect: DUCKDB,
    site,
    snapshot,
    hasFresh: visits > 0,
    hasLeftOut: leftOut > 0,
    refundedFrom: null,
    sampled,
    lateEventHours,
    audienceMinPeople,
  };
}
