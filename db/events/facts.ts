/** Facts: a row for each event. */
import type pg from 'pg';
import type { PersonEvent } from '../../domain/eventModes.ts';
import { hashesOf, idsOf, inOrderOfIds, sparseColumn, subjectColumns, timesOf } from './columns.ts';

/**
 * Stores facts. One whose id is known, as a fact or among the remembered ids, changes nothing. The
 * look-up is a subquery of its own, not a join: no plan of it can scan what has grown meanwhile.
 * @returns how many are new
 */
export async function insertFacts(client: pg.PoolClient, projectId: string, sent: readonly PersonEvent[]): Promise<number> {
  if (sent.length === 0) return 0;
  const events = inOrderOfIds(sent);
  const { rowCount } = await client.query({
    name: 'events-insert-facts',
    text: `insert into events (project_id, id, identity_id, item_id, type, value, occurred_at, recommendation_id, surface, position, order_id, quantity, price)
           select $1, id, identity_id, item_id, type, value, occurred_at, recommendation_id, surface, position, order_id, quantity, price
             from unnest($2::text[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::float8[], $8::timestamptz[],
                         $9::text[], $10::text[], $11::integer[], $12::text[], $13::float8[], $14::float8[])
                  as e (id, hash, identity_id, item_id, type, value, occurred_at, recommendation_id, surface, position, order_id, quantity, price)
            where (select s.expires_on from seen_event_ids s where s.project_id = $1 and s.id_hash = e.hash) is null
           on conflict do nothing`,
    values: [
      projectId, idsOf(events), hashesOf(events), ...subjectColumns(events), sparseColumn(events, ({ value }) => value), timesOf(events),
      sparseColumn(events, ({ recommendationId }) => recommendationId), sparseColumn(events, ({ surface }) => surface), sparseColumn(events, ({ position }) => position),
      sparseColumn(events, ({ orderId }) => orderId), sparseColumn(events, ({ quantity }) => quantity), sparseColumn(events, ({ price }) => price),
    ],
  });
  return rowCount ?? 0;
}
