/** The three engines; each runs a complete question and returns its complete result. */
import type pg from 'pg';
import type { Report, ReportRequest, ReportSite } from '../../../reports/reportRequest.ts';
import { ofClickHouse, ofPostgres, ofReport, type Figures } from './answers.ts';
import type { ClickHouse } from './rivals/clickhouse.ts';
import type { Case } from './suite/index.ts';
import { CLICKHOUSE, POSTGRES } from './suite/dialect.ts';
import { statementOf } from './suite/statement.ts';
import { TIMEZONE } from './world/sitesAndPeriod.ts';

export const ENGINE_NAMES = ['duckdb', 'clickhouse', 'postgres'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

export interface Engine {
  name: EngineName;
  /** Runs the question; `ms` is the time until the complete result is available. */
  ask(question: Case, siteId: string): Promise<{ ms: number; figures: Figures }>;
}

export const siteOf = (siteId: string): ReportSite => ({
  siteId,
  timezone: TIMEZONE,
  currency: 'RUB',
  rates: {},
  goals: [],
});

/**
 * Creates the engine that stands for the complete product: the lookups in PostgreSQL, the statement, its run in the
 * engine's process, and the labels.
 */
export function ourEngine(run: (request: ReportRequest, site: ReportSite) => Promise<Report>): Engine {
  return {
    name: 'duckdb',
    async ask({ request }, siteId) {
      const begun = performance.now();
      const report = await run(request, siteOf(siteId));
      if (report.sampled) throw new Error('the report was sampled');
      return { ms: performance.now() - begun, figures: ofReport(report) };
    },
  };
}

/** Error for a question that an engine cannot answer within the memory that all of them get. */
export class NotEnoughMemoryError extends Error {}

/** @param threads threads and memory as in the product's own process */
export async function clickHouseEngine(
  clickhouse: ClickHouse,
  { threads, memoryMb }: { threads: number; memoryMb: number },
): Promise<Engine> {
  await clickhouse.execute('use lake');
  await clickhouse.execute(`set max_threads = ${threads}, max_memory_usage = ${memoryMb * 2 ** 20}`);
  return {
    name: 'clickhouse',
    async ask({ request, rival }, siteId) {
      const { ms, answer } = await clickhouse
        .ask(statementOf(CLICKHOUSE, rival(CLICKHOUSE, siteId)))
        .catch((error: Error) => {
          throw error.message.includes('MEMORY_LIMIT_EXCEEDED') ? new NotEnoughMemoryError(error.message) : error;
        });
      return { ms, figures: ofClickHouse(answer, request.dimensions.length) };
    },
  };
}

export function postgresEngine(client: pg.Client): Engine {
  return {
    name: 'postgres',
    async ask({ request, rival }, siteId) {
      const text = statementOf(POSTGRES, rival(POSTGRES, siteId));
      const begun = performance.now();
      const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
      return { ms: performance.now() - begun, figures: ofPostgres(rows, request.dimensions.length) };
    },
  };
}
