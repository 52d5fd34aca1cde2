/**
 * A person with a row in every place where a site can keep personal data, each under texts that belong to nobody
 * else.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type pg from 'pg';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { exportBlobFolder, recordingBlobFolder } from '../../../domain/jobs/ids.ts';
import { conversionRow, hitRow, orderLineRow, orderRow, visitRow } from '../lake/lake.ts';

/** Each text sorts after any other text of its column, so that the column's statistics include it. */
export interface TracedPerson {
  visitor: string;
  user: string;
  transaction: string;
  conversion: string;
  page: string;
}

export const DOOMED: TracedPerson = {
  visitor: 'ffffffff-0000-7000-8000-00000000d00d',
  user: 'zz-doomed-user',
  transaction: 'zz-doomed-transaction',
  conversion: 'zz-doomed-conversion',
  page: '/zz-doomed-page',
};

/** The shard in which the person's rows are staged. */
export const SHARD = 3;
const ADDRESS = 'https://zz-shop.example';

interface Place {
  pool: pg.Pool;
  site: string;
  blobDir: string;
}

/**
 * Writes the person's data to PostgreSQL, to the lake's staging, to an export and to a recording. The caller
 * commits the shard afterwards.
 */
export async function leaveEverything({ pool, site, blobDir }: Place, person: TracedPerson): Promise<void> {
  const { visitor, user } = person;
  await pool.query('insert into site_visitors (site_id, visitor_id) values ($1, $2)', [site, visitor]);
  await inTransaction(pool, (client) =>
    applyUserData(client, site, [
      {
        userId: user,
        visitorId: visitor,
        fingerprint: null,
        data: { gender: 'male', interests: ['кино'] },
        source: 'user',
        at: new Date(),
      },
    ]),
  );
  await addFacts(pool, site, person);
  await stagePerson(pool, site, person);
  await addExport({ pool, site, blobDir }, person);
  await addRecording({ pool, site, blobDir }, person);
}

/** Writes the person's rows in the tables of waiting and of failed work, and a fingerprint. */
export async function leaveWaiting(pool: pg.Pool, site: string, person: TracedPerson): Promise<void> {
  const { visitor, user, page } = person;
  const batch = JSON.stringify({ device: null, events: [{ type: 'pageview', url: ADDRESS + page, user: null }] });
  await pool.query(
    `insert into collect_inbox (site_id, visitor_id, shard, received_at, ip, user_agent, batch, user_ids) values ($1, $2, $3, now(), '192.0.2.1', 'x', $4, $5)`,
    [site, visitor, SHARD, batch, [user]],
  );
  await pool.query(
    `insert into collect_failed (id, site_id, visitor_id, shard, received_at, ip, user_agent, batch, error) values (1, $1, $2, $3, now(), '192.0.2.1', 'x', $4, 'x')`,
    [site, visitor, SHARD, batch],
  );
  await pool.query(
    `insert into lake_failed (site_id, visitor_id, batch_id, table_name, row, error) values ($1, $2, 1, 'hits', $3, 'x')`,
    [site, visitor, JSON.stringify(hitRow({ site_id: site, visitor_id: visitor }))],
  );
  await pool.query(
    'insert into site_recounts (site_id, visitor_id, visit_id, shard) values ($1, $2, gen_random_uuid(), $3)',
    [site, visitor, SHARD],
  );
  await pool.query(
    'insert into site_fingerprints (site_id, fingerprint, visitor_id, seen_at) values ($1, gen_random_uuid(), $2, now())',
    [site, visitor],
  );
}

async function addFacts(pool: pg.Pool, site: string, person: TracedPerson): Promise<void> {
  const { visitor, user, transaction, conversion, page } = person;
  await pool.query(
    `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state) values ($1, $2, gen_random_uuid(), $3, now(), now(), $4)`,
    [site, visitor, SHARD, JSON.stringify({ entry_url: ADDRESS + page })],
  );
  await pool.query(
    `insert into site_orders (site_id, visitor_id, user_id, shard, transaction_id, status, origin, occurred_at, attribution) values ($1, $2, $3, $4, $5, 'purchased', 'api', now(), 'none')`,
    [site, visitor, user, SHARD, transaction],
  );
  await pool.query(
    `insert into site_conversions (site_id, visitor_id, user_id, shard, origin, id, goal, goal_source, occurred_at, attribution) values ($1, $2, $3, $4, 'api', $5, 'lead', 'api', now(), 'none')`,
    [site, visitor, user, SHARD, conversion],
  );
}

async function stagePerson(pool: pg.Pool, site: string, person: TracedPerson): Promise<void> {
  const { visitor, user, transaction, page } = person;
  const of = { site_id: site, visitor_id: visitor, visitor_bucket: 17 };
  const ofUser = { ...of, user_id: user };
  const address = { page_url: ADDRESS + page, page_path: page, page_title: page };
  const way = { entry_url: ADDRESS + page, entry_path: page, exit_url: ADDRESS + page, exit_path: page };
  await inTransaction(pool, async (client) =>
    stageRows(client, SHARD, await nextBatchId(client), {
      hits: [hitRow({ ...of, ...address })],
      visits: [visitRow({ ...ofUser, ...way })],
      conversions: [conversionRow({ ...ofUser, conversion_id: person.conversion })],
      orders: [orderRow({ ...ofUser, transaction_id: transaction })],
      order_lines: [orderLineRow({ ...ofUser, transaction_id: transaction })],
    }),
  );
}

async function addExport({ pool, site, blobDir }: Place, person: TracedPerson): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into report_exports (site_id, state, format, report, progress, rows, sampled, blob_key, finished_at, expires_at)
     values ($1, 'done', 'csv', jsonb_build_object('filter', $2::text), 1, 1, false, 'x', now(), now() + interval '7 days') returning id`,
    [site, person.page],
  );
  const name = join(exportBlobFolder(site, String(rows[0]?.id)), 'report.csv');
  await writeBlob(join(blobDir, name), Object.values(person).join('\n'));
}

async function addRecording({ pool, site, blobDir }: Place, person: TracedPerson): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into site_recordings (site_id, recording_id, visitor_id, day) values ($1, gen_random_uuid(), $2, current_date) returning recording_id as id`,
    [site, person.visitor],
  );
  const name = join(recordingBlobFolder(site, String(rows[0]?.id)), '0.json.gz');
  await writeBlob(join(blobDir, name), gzipSync(JSON.stringify({ href: person.page })));
}

async function writeBlob(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
