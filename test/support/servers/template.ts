/** The migrated template database; every test file's database is a copy of it. */
import pg from 'pg';
import { migrate } from '../../../db/migrate.ts';

export const TEMPLATE_DATABASE = 'attune_template';

export function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs one statement on the server's own database. */
export async function onServer(serverUrl: string, statement: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await client.query(statement, values);
  } finally {
    await client.end();
  }
}

export async function makeTemplate(serverUrl: string): Promise<void> {
  await onServer(serverUrl, `create database ${TEMPLATE_DATABASE}`);
  await migrate(withDatabase(serverUrl, TEMPLATE_DATABASE));
}
