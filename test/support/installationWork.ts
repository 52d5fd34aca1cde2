/** Adds work of each kind that waits or has failed, as the processes leave it behind. */
import type pg from 'pg';
import { queueExport } from '../../db/reports/exports.ts';
import { storeAttempts } from '../cabinet/support/deliveries.ts';
import { Analyst } from './items/items.ts';
import { textItem } from './project.ts';
import { addUndelivered } from './webhooks/recoveries.ts';
import { withoutTriggers } from './unstamped.ts';
import { addWebhook, readDeliveries, recordEvent } from './webhooks/webhooks.ts';

export interface StoredWork {
  /** Id of the delivery that will be retried. */
  delivery: string;
  importId: string;
  exportId: string;
}

export async function storeWork(pool: pg.Pool, projectId: string, siteId: string): Promise<StoredWork> {
  const analyst = new Analyst(pool, projectId);
  await analyst.put('waits', textItem({ title: 'Waits' }));
  await analyst.put('failed', textItem({ title: 'Failed' }));
  await pool.query(
    `update items set status = 'failed', steps = '{"summary": {"state": "failed"}}' where project_id = $1 and id = 'failed'`,
    [projectId],
  );
  await withoutTriggers(
    pool,
    `update items set updated_at = now() - interval '3 hours' where project_id = $1 and id = 'waits'`,
    [projectId],
  );
  const webhook = await addWebhook(pool, projectId, 'https://hooks.example.com/attune');
  await recordEvent(pool, projectId, 'waits');
  await storeAttempts(pool, webhook, 'waits', 2);
  const [row] = await readDeliveries(pool, webhook);
  await addUndelivered(pool, webhook, { count: 2 });
  await pool.query(`insert into jobs (project_id, kind, entity_id, priority) values ($1, 'orders', 'request-1', 3)`, [
    projectId,
  ]);
  const { rows } = await pool.query<{ id: string }>(
    `insert into imports (project_id, id, state, format, blob_key, bytes, finished_at)
     values ($1, gen_random_uuid(), 'failed', 'csv', 'imports/none', 1, now()) returning id`,
    [projectId],
  );
  const asked = await queueExport(pool, {
    siteId,
    format: 'csv',
    report: { metrics: ['visits'] },
    userId: null,
    requestId: null,
    language: 'en',
  });
  await pool.query(
    `insert into output_models (project_id, kind, state, reason, finished_at) values ($1, 'full', 'failed', 'no memory', now())`,
    [projectId],
  );
  await pool.query(`insert into visitor_deletions (site_id, visitor_id) values ($1, gen_random_uuid())`, [siteId]);
  await pool.query(
    `insert into blob_garbage (project_id, folder, after) values ($1, 'media/none', now() - interval '1 hour')`,
    [projectId],
  );
  return { delivery: row?.id ?? '', importId: rows[0]?.id ?? '', exportId: asked?.id ?? '' };
}
