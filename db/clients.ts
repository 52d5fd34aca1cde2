/** Clients: who owns projects and sites. */
import type { Queryable } from './pool.ts';

/** Creates a client; returns its id. */
export async function insertClient(pool: Queryable, title: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('insert into clients (title) values ($1) returning id', [title]);
  if (!rows[0]) throw new Error('a client was inserted and not returned');
  return rows[0].id;
}

/** The client that owns what an installation's administrator creates: the oldest one, if there is any. */
export async function findFirstClient(pool: Queryable): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>('select id from clients order by created_at, id limit 1');
  return rows[0]?.id ?? null;
}

/** A blocked client's keys answer 403. */
export async function setClientState(pool: Queryable, clientId: string, state: 'active' | 'blocked'): Promise<void> {
  await pool.query('update clients set state = $2 where id = $1', [clientId, state]);
}
