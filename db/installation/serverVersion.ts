import type { Queryable } from '../pool.ts';

/** Returns the version as PostgreSQL reports it: `18.1`. */
export async function readServerVersion(pool: Queryable): Promise<string> {
  const { rows } = await pool.query<{ version: string }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version`,
  );
  return rows[0]?.version ?? '';
}
