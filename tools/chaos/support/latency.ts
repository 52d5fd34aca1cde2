/** Measures deliveries from the commit of the status change to the receipt. */
import type pg from 'pg';
import type { ChaosReceiver } from '../fault.ts';

/** A period, in wall-clock milliseconds, in which deliveries were recorded. */
export interface Stretch {
  from: number;
  to: number;
}

/**
 * Returns the 95th percentile of commit → first receipt, in milliseconds, over the deliveries to a receiver that were
 * recorded in a period. The database runs on this machine, so both ends have one clock.
 * @returns null when none was recorded; a delivery that has not arrived counts as infinitely late
 */
export async function p95Ms(pool: pg.Pool, receiver: ChaosReceiver, { from, to }: Stretch): Promise<number | null> {
  const { rows } = await pool.query<{ id: string; recorded: number }>(
    `select id::text as id, extract(epoch from created_at)::float8 * 1000 as recorded from deliveries
      where webhook_id = $1 and event <> 'webhook.test' and created_at between to_timestamp($2 / 1000.0) and to_timestamp($3 / 1000.0)`,
    [receiver.webhookId, from, to],
  );
  const firstReceipts = new Map<string, number>();
  for (const { deliveryId, at } of receiver.requests)
    if (!firstReceipts.has(deliveryId)) firstReceipts.set(deliveryId, at);
  const latencies = rows
    .map(({ id, recorded }) => (firstReceipts.get(id) ?? Infinity) - recorded)
    .toSorted((a, b) => a - b);
  return latencies[Math.ceil(latencies.length * 0.95) - 1] ?? null;
}
