/** Lists the statements that cost PostgreSQL most, to show what to improve. */
import type { BenchDatabase } from '../intake/database.ts';

export const STATEMENTS_SETTINGS = { shared_preload_libraries: 'pg_stat_statements' };
const MAX_STATEMENTS = 40;

export async function printStatements(database: BenchDatabase): Promise<void> {
  await database.query('create extension if not exists pg_stat_statements');
  const rows = await database.query<{ calls: number; ms: number; mean: number; rows: number; statement: string }>(
    `select calls::float8 as calls, round(total_exec_time)::float8 as ms, round(mean_exec_time::numeric, 3)::float8 as mean,
            rows::float8 as rows, regexp_replace(left(query, 160), '\\s+', ' ', 'g') as statement
       from pg_stat_statements where query !~* '^\\s*copy' order by total_exec_time desc limit $1`,
    [MAX_STATEMENTS],
  );
  console.table(rows);
}
