/** Clients, the owners of projects and sites. */
import type { Queryable } from '../pool.ts';

/** Creates a client; returns its id. */
export async function insertClient(pool: Queryable, title: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('insert into clients (title) values ($1) returning id', [title]);
  if (!rows[0]) throw new Error('a client was inserted but not returned');
  return rows[0].id;
}

/**
 * Returns the client that owns what an installation's administrator creates: the oldest one, or a new one with this
 * title when there is none. Two concurrent first calls may create two; the older one is used from then on.
 */
export async function ensureClient(pool: Queryable, title: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `with oldest as (select id from clients order by created_at, id limit 1),
          added as (insert into clients (title) select $1 where not exists (select from oldest) returning id)
     select id from oldest union all select id from added`,
    [title],
  );
  if (!rows[0]) throw new Error('a client was inserted but not returned');
  return rows[0].id;
}
