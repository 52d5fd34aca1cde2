/** The tag's inbox, as the ingest reads it. */
import type pg from 'pg';
import type { CollectedBatch } from '../../domain/collect/collected.ts';
import type { Queryable } from '../pool.ts';

export interface InboxRow {
  id: string;
  siteId: string;
  visitorId: string;
  /** Epoch milliseconds. */
  receivedAt: number;
  ip: string;
  userAgent: string;
  batch: CollectedBatch;
}

/** Returns those of the shards that have something to ingest, in their order. */
export async function shardsWithWork(db: Queryable, shards: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ shard: number }>({
    name: 'inbox-shards',
    text: 'select shard from unnest($1::smallint[]) shard where exists (select from collect_inbox i where i.shard = shard.shard)',
    values: [shards],
  });
  return rows.map(({ shard }) => shard);
}

/** Takes the oldest rows of a shard, at most `limit`, in id order; they are deleted when the transaction commits. */
export async function takeInbox(client: pg.ClientBase, shard: number, limit: number): Promise<InboxRow[]> {
  const { rows } = await client.query<InboxRow>({
    name: 'inbox-take',
    text: `with taken as (
             delete from collect_inbox where id = any (array(select id from collect_inbox where shard = $1 order by id limit $2))
             returning id, site_id, visitor_id, received_at, ip, user_agent, batch
           )
           select id, site_id as "siteId", visitor_id as "visitorId", round(extract(epoch from received_at) * 1000)::float8 as "receivedAt",
                  ip, user_agent as "userAgent", batch
             from taken order by id`,
    values: [shard, limit],
  });
  return rows;
}

/**
 * Sets the oldest row of a shard aside, so that it does not block the others.
 * @param error the kind of the fault, without data of the row
 * @returns its id, null when there is none
 */
export async function setOldestRowAside(client: pg.ClientBase, shard: number, error: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `with taken as (
       delete from collect_inbox where id = (select id from collect_inbox where shard = $1 order by id limit 1) returning *
     )
     insert into collect_failed (id, shard, site_id, visitor_id, received_at, ip, user_agent, batch, error)
     select id, shard, site_id, visitor_id, received_at, ip, user_agent, batch, $2 from taken
     returning id`,
    [shard, error],
  );
  return rows[0]?.id ?? null;
}
