/** Compiled reports over rows in a lake that belongs to the test. */
import type { DuckDBValue } from '@duckdb/node-api';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import type { LakeRows, VisitRow } from '../../../domain/reports/lakeRows.ts';
import { compileReport, type CompileContext } from '../../../reports/compile/index.ts';
import { quotedText } from '../../../reports/sql/quotedText.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import type { Lake } from '../../../reports/lake/index.ts';
import { deletePastRetention } from '../../../reports/lake/upkeep/deleteRows.ts';
import { inLakeTransaction, type LakeConnection } from '../../../reports/lake/connection.ts';
import type { ReportRequest, ReportSite } from '../../../reports/reportRequest.ts';
import { DUCKDB } from '../../../reports/sql/duckdb.ts';
import { createTestDatabase } from '../../support/database.ts';
import { openTestLake } from '../../support/lake/lake.ts';

export const SITE: ReportSite = {
  siteId: 'site00000001',
  timezone: 'UTC',
  currency: 'RUB',
  rates: { USD: 90.5 },
  goals: [{ code: 'lead', title: 'Lead' }],
};

/** The result of the compiled statement. */
export interface Result {
  rows: [labels: (string | null)[], metrics: number[]][];
  totals: number[];
  rowCount: number;
  isRateMissing: boolean;
}

/** Data that prologues load: visits that the lake lacks, users linked to visitors, values of people. */
export interface Prologue {
  fresh?: readonly VisitRow[];
  links?: Readonly<Record<string, string>>;
  /** By visitor id, or `user:<id>` for users. */
  attributes?: readonly { person: string; attribute: string; param?: string; value: string; source?: string }[];
}

export interface World {
  lake: Lake;
  put(rows: Partial<LakeRows>): Promise<void>;
  report(request: Partial<ReportRequest>, options?: Partial<CompileContext> & Prologue): Promise<Result>;
  /** Removes rows past their retention at that time. */
  retain(now: number): Promise<void>;
  close(): Promise<void>;
}

const REQUEST: ReportRequest = {
  dimensions: [],
  metrics: ['visits'],
  date_from: '2026-03-01',
  date_to: '2026-03-31',
  filters: [],
  segment: null,
  attribution: 'last',
  robots: 'exclude',
  sort: [],
  limit: 100,
  offset: 0,
};
const CONTEXT: CompileContext = {
  dialect: DUCKDB,
  site: SITE,
  snapshot: null,
  hasFresh: false,
  hasLeftOut: false,
  refundedFrom: null,
  sampled: false,
  lateEventHours: 24,
  audienceMinPeople: 1,
};

export async function createWorld(): Promise<World> {
  const database = await createTestDatabase();
  const test = await openTestLake(database.url);
  return {
    lake: test.lake,
    async put(rows) {
      await inTransaction(database.pool, async (client) => stageRows(client, 0, await nextBatchId(client), rows));
      await commitStaged(test.lake, database.pool, [0]);
    },
    async report(request, { fresh = [], links = {}, attributes = [], ...context } = {}) {
      // One transaction, as for reports: otherwise each statement would query the catalogue again.
      return test.lake.withConnection(async (connection) =>
        inLakeTransaction(connection, async () => {
          await load(connection, { fresh, links, attributes });
          const { sql, params } = compileReport(
            { ...REQUEST, ...request },
            { ...CONTEXT, hasFresh: fresh.length > 0, ...context },
          );
          return resultOf(await connection.query<Row>(sql, params));
        }),
      );
    },
    async retain(now) {
      await deletePastRetention(test.lake, database.pool, new Map(), { now, factMonths: 37 });
    },
    async close() {
      await test.close();
      await database.drop();
    },
  };
}

interface Row {
  is_total: boolean;
  d: (string | null)[];
  m: number[];
  row_count: bigint;
  missing_rate: boolean;
}

function resultOf([total, ...rows]: Row[]): Result {
  if (total?.is_total !== true) throw new Error('the total is not first');
  return {
    rows: rows.map(({ d, m }) => [d, m]),
    totals: total.m,
    rowCount: Number(total.row_count),
    isRateMissing: total.missing_rate,
  };
}

async function load(connection: LakeConnection, { fresh, links, attributes }: Required<Prologue>): Promise<void> {
  await connection.query('create or replace temp table fresh_visits as from lake.visits limit 0');
  await connection.query(
    'create or replace temp table linked_visitors (visitor_id UUID, user_id VARCHAR, person UUID)',
  );
  await connection.query(
    'create or replace temp table effective_values (person UUID, attribute VARCHAR, param VARCHAR, value VARCHAR, source VARCHAR)',
  );
  for (const visit of fresh)
    await connection.query(
      `insert into fresh_visits by name select ${Object.keys(visit)
        .map((key, index) => `${columnOf(key, `$${index + 1}`)} as "${key}"`)
        .join(', ')}`,
      Object.values(visit).map(valueOf),
    );
  const linked = Object.entries(links).map(
    ([visitor, user]) => `(${[visitor, user].map(textOf).join()}, md5(${textOf(user)})::UUID)`,
  );
  if (linked.length > 0) await connection.query(`insert into linked_visitors values ${linked.join()}`);
  const values = attributes.map(
    ({ person, attribute, param = null, value, source = 'site' }) =>
      `(${[personOf(person), ...[attribute, param, value, source].map(textOf)].join()})`,
  );
  if (values.length > 0) await connection.query(`insert into effective_values values ${values.join()}`);
}

const textOf = (text: string | null): string => (text === null ? 'null' : quotedText(text));
const personOf = (person: string): string =>
  person.startsWith('user:') ? `md5(${quotedText(person.slice(5))})::UUID` : `${quotedText(person)}::UUID`;

const columnOf = (key: string, value: string): string => {
  if (key.startsWith('source_')) return `json_transform(${value}, json_structure(${value}))`;
  return key.endsWith('_at') ? `make_timestamp_ms(${value}::BIGINT)` : value;
};
const valueOf = (value: unknown): DuckDBValue =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as DuckDBValue);
