/** Reads everything that a stack stores (its tables and its workflows' histories) as searchable text. */
import { Client, Connection } from '@temporalio/client';
import type pg from 'pg';

/** Reads every row of every table. */
export async function allRows(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${name} t`);
      return rows.map(({ text }) => `${name} ${text}`);
    }),
  );
  return texts.flat().join('\n');
}

/** Reads every history, payloads decoded, one event a line. */
export async function allHistories(address: string): Promise<string> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection });
    const lines: string[] = [];
    for await (const { workflowId, runId } of client.workflow.list()) {
      const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      for (const event of events ?? []) lines.push(`${workflowId} ${JSON.stringify(event, readable)}`);
    }
    return lines.join('\n');
  } finally {
    await connection.close();
  }
}

/** Histories serialise to JSON with payload bytes in base64; this decodes them. */
function readable(key: string, value: unknown): unknown {
  return key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : value;
}
