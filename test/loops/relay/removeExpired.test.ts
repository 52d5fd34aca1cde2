import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import type { BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import { runExclusively } from '../../../db/advisoryLock.ts';
import { createPool } from '../../../db/pool.ts';
import { announceBlobs } from '../../../db/blobGarbage.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { Pace } from '../../../platform/process/concurrency/pace.ts';
import { createRelayMetrics } from '../../../loops/relay/metrics.ts';
import { removeExpired, type RetentionDeps } from '../../../loops/relay/removeExpired.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTcpProxy } from '../../support/servers/tcpProxy.ts';
import { createTestProject } from '../../support/project.ts';

let database: TestDatabase;
let projectId: string;
let folder: string;
let blobs: BlobStore;
let registry: Registry;
let deps: RetentionDeps;

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-retention-'));
  blobs = createLocalBlobStore(join(folder, 'store'));
  registry = new Registry();
  deps = {
    pool: database.pool,
    blobs,
    rememberCollectedHours: 24,
    auditDays: 365,
    metrics: createRelayMetrics(registry, database.pool),
    logger: createLogger('test', 'silent'),
  };
});
afterEach(async () => {
  await database.pool.query('truncate blob_garbage, webhooks cascade');
  await rm(folder, { recursive: true });
});

async function putFolder(name: string, isDue: boolean): Promise<void> {
  await writeFile(join(folder, 'source'), 'x');
  await blobs.putFile(`media/${name}/0.jpg`, join(folder, 'source'));
  await announceBlobs(database.pool, { projectId, folder: `media/${name}` });
  if (isDue) await database.pool.query(`update blob_garbage set after = now() where folder = $1`, [`media/${name}`]);
}

const stored = async (): Promise<string[]> => (await readdir(join(folder, 'store', 'media'))).sort();
const noted = async (): Promise<string[]> =>
  (await database.pool.query<{ folder: string }>('select folder from blob_garbage order by folder')).rows.map(
    (row) => row.folder,
  );

async function removed(what: string): Promise<number | undefined> {
  const found = (await registry.getMetricsAsJSON()).find((each) => each.name === 'attune_retention_removed_total');
  return found?.values.find((value) => value.labels['what'] === what)?.value;
}

/** Adds deliveries that are `days` days old. */
async function addDeliveries(count: number, days: number, lane: string | null): Promise<void> {
  await database.pool.query(
    `with w as (insert into webhooks (project_id, url, events, secret) values ($1, 'https://receiver.test/', '{item.processed}', '') returning *)
     insert into deliveries (project_id, webhook_id, event, item_id, item, lane, status, created_at)
     select project_id, id, 'item.processed', 'a', '{}', $4::text, case when $4::text is null then 'delivered' else 'pending' end, now() - $3::int * interval '1 day'
       from w, generate_series(1, $2)`,
    [projectId, count, days, lane],
  );
}

const countDeliveries = async (): Promise<number> =>
  (await database.pool.query('select count(*)::int as n from deliveries')).rows[0].n;

describe('retention', () => {
  it('forgets an event of the tag an hour after the time from which a repeat counts again', async () => {
    const seen = (key: string, age: string) =>
      database.pool.query('insert into collected_events values ($1, $2, now() - $3::interval)', [projectId, key, age]);
    const [old, recent] = ['00000000-0000-8000-8000-000000000001', '00000000-0000-8000-8000-000000000002'];
    await seen(old, '25:01:00');
    await seen(recent, '24:30:00');
    await removeExpired(deps);
    expect((await database.pool.query('select key from collected_events')).rows).toEqual([{ key: recent }]);
    expect(await removed('collected_events')).toBe(1);
  });

  it('removes due folders, more than one batch of them, and no others', async () => {
    for (let index = 10; index < 55; index += 1) await putFolder(`due-${index}`, true);
    await putFolder('not-yet', false);
    await removeExpired(deps);
    expect([await stored(), await noted()]).toEqual([['not-yet'], ['media/not-yet']]);
    expect(await removed('blob_folders')).toBe(45);
  });

  it('accepts a folder that is already gone', async () => {
    await putFolder('gone', true);
    await blobs.removeFolder('media/gone');
    await removeExpired(deps);
    expect(await noted()).toEqual([]);
  });

  it('continues past a folder that cannot be removed, and tries it again an hour later', async () => {
    await putFolder('bad', true);
    await putFolder('good', true);
    const removeFolder = (name: string) =>
      name === 'media/bad' ? Promise.reject(new Error('EACCES')) : blobs.removeFolder(name);
    await removeExpired({ ...deps, blobs: { removeFolder } });
    expect([await stored(), await noted()]).toEqual([['bad'], ['media/bad']]);
    await removeExpired(deps);
    expect(await stored()).toEqual(['bad']);
    await database.pool.query(`update blob_garbage set after = after - interval '1 hour'`);
    await removeExpired(deps);
    expect(await stored()).toEqual([]);
  });

  // proves: webhooks/6, limits/journal
  it('removes entries older than 30 days from the journal, unless they are still to be delivered', async () => {
    await addDeliveries(1_500, 31, null);
    await addDeliveries(2, 29, null);
    await addDeliveries(3, 31, 'retry');
    await removeExpired(deps);
    expect(await countDeliveries()).toBe(5);
    expect(await removed('deliveries')).toBe(1_500);
  });

  it('forgets expired ids of events, more than one batch of them, and no others', async () => {
    await database.pool.query(
      `insert into seen_event_ids (project_id, id_hash, expires_on)
       select $1, gen_random_uuid(), (now() at time zone 'UTC')::date - case when n <= 10005 then 1 else 0 end from generate_series(1, 10010) as n`,
      [projectId],
    );
    await removeExpired(deps);
    expect((await database.pool.query('select count(*)::int as n from seen_event_ids')).rows[0].n).toBe(5);
    expect(await removed('event_ids')).toBe(10_005);
  });

  // proves: output-snapshots/90-days
  it('removes snapshots of answers that are older than 90 days, more than one batch of them, and no others', async () => {
    await database.pool.query(
      `insert into output_snapshots (project_id, id, page, path, mode, item_ids, first_position, scores, reasons, has_next, created_at)
       select $1, name || n, 0, 'feed', 'popular', '{a}', 0, '{1}', '[{"code": "popular"}]', false, now() - age
         from (values ('old', 10005, interval '90 days 1 minute'), ('kept', 2, interval '89 days 23 hours')) as snapshots (name, count, age),
              generate_series(1, count) as n`,
      [projectId],
    );
    await removeExpired(deps);
    const { rows } = await database.pool.query('select id from output_snapshots where project_id = $1 order by id', [
      projectId,
    ]);
    expect(rows).toEqual([{ id: 'kept1' }, { id: 'kept2' }]);
    expect(await removed('output_snapshots')).toBe(10_005);
  });

  it('forgets counted impressions, and experiments that no surface has, with their answers', async () => {
    const { pool } = database;
    await pool.query(
      `insert into output_impressions (project_id, day, surface, variant, position_bucket, part, count)
       select $1, (now() at time zone 'UTC')::date - days, '', '', 0, 0, 1 from unnest(array[0, 90, 91]) as days`,
      [projectId],
    );
    await pool.query(
      `insert into output_experiments (project_id, id, surface, starts_at, variants, detached_at)
       select $1, id, 'feed', now() - interval '200 days', '[]', now() - days * interval '1 day'
         from (values ('on', null), ('off', 89), ('old', 91)) as e (id, days)`,
      [projectId],
    );
    await pool.query(
      `insert into experiment_people (project_id, experiment, since, slot, mark, variant)
       select project_id, id, changed_at, 0, 0, 0 from output_experiments where project_id = $1`,
      [projectId],
    );
    await removeExpired(deps);
    const left = async (text: string) => (await pool.query(text, [projectId])).rows.map((row) => Object.values(row)[0]);
    expect(
      await left(
        `select (now() at time zone 'UTC')::date - day as age from output_impressions where project_id = $1 order by 1`,
      ),
    ).toEqual([0, 90]);
    expect(await left('select id from output_experiments where project_id = $1 order by id')).toEqual(['off', 'on']);
    expect(await left('select experiment from experiment_people where project_id = $1 order by experiment')).toEqual([
      'off',
      'on',
    ]);
  });

  it('removes expired sessions and full buckets, and no others', async () => {
    await database.pool.query(
      `with someone as (insert into users (email, password_hash, role) values ('a@example.com', '', 'viewer') returning id)
       insert into sessions (hash, user_id, created_at, last_used_at)
       select sha256(n::text::bytea), id, now() - days * interval '1 day', now() - hours * interval '1 hour'
         from someone, (values (1, 31, 1), (2, 2, 25), (3, 29, 23)) as session (n, days, hours)`,
    );
    await database.pool.query(
      `insert into rate_buckets (key, full_at) values ('full', 1), ('empty', extract(epoch from now()) + 3600)`,
    );
    await removeExpired(deps);
    expect(await removed('sessions')).toBe(2);
    expect((await database.pool.query('select count(*)::int as n from sessions')).rows).toEqual([{ n: 1 }]);
    expect((await database.pool.query('select key from rate_buckets')).rows).toEqual([{ key: 'empty' }]);
  });

  it('removes imports, their errors and reruns that ended 90 days ago, more than one batch of them, and no others', async () => {
    await database.pool.query(
      `with gone as (
         insert into imports (project_id, id, state, format, blob_key, bytes, created_at, finished_at)
         select $1, gen_random_uuid(), state, 'jsonl', '', 1, now() - interval '200 days', now() - days * interval '1 day'
           from (values ('failed', 89), ('running', null)) as kept (state, days)
         union all select $1, gen_random_uuid(), 'done', 'jsonl', '', 1, now() - interval '200 days', now() - interval '91 days' from generate_series(1, 105)
         returning project_id, id)
       insert into import_errors (project_id, import_id, line, code, faults) select project_id, id, 1, 'invalid_json', '[]' from gone`,
      [projectId],
    );
    await database.pool.query(
      `insert into reruns (project_id, reason, filter, state, updated_at)
       select $1, 'request', '{}', state, now() - days * interval '1 day' from (values ('done', 91), ('replaced', 91), ('done', 89), ('running', 91)) as rerun (state, days)`,
      [projectId],
    );
    await database.pool.query(
      `with w as (insert into webhooks (project_id, url, events, secret) values ($1, 'https://receiver.test/', '{item.processed}', '') returning *)
       insert into webhook_recoveries (project_id, webhook_id, since, until, statuses, state, under_way, position_at, room, finished_at)
       select project_id, id, now(), now(), '{failed}', state, '{}', now(), 1, now() - days * interval '1 day'
         from w, (values ('done', 91), ('cancelled', 91), ('done', 89), ('running', null)) as recovery (state, days)`,
      [projectId],
    );
    await removeExpired(deps);
    expect([await removed('imports'), await removed('reruns'), await removed('recoveries')]).toEqual([105, 2, 2]);
    expect((await database.pool.query('select state from webhook_recoveries order by state')).rows).toEqual([
      { state: 'done' },
      { state: 'running' },
    ]);
    const { rows } = await database.pool.query(
      'select state, (select count(*)::int from import_errors where import_id = id) as errors from imports order by state',
    );
    expect(rows).toEqual([
      { state: 'failed', errors: 1 },
      { state: 'running', errors: 1 },
    ]);
    expect((await database.pool.query('select state from reruns order by state')).rows).toEqual([
      { state: 'done' },
      { state: 'running' },
    ]);
  });

  it('leaves a kind that fails to the next pass, and removes the others', async () => {
    await addDeliveries(2, 31, null);
    await database.pool.query(`insert into rate_buckets (key, full_at) values ('full', 1)`);
    await putFolder('due', true);
    await database.pool.query('alter table deliveries rename to deliveries_elsewhere');
    try {
      await expect(removeExpired(deps)).rejects.toThrow(
        'could not remove data past its retention time: deliveries (relation "deliveries" does not exist)',
      );
    } finally {
      await database.pool.query('alter table deliveries_elsewhere rename to deliveries');
    }
    expect(await stored()).toEqual([]);
    expect((await database.pool.query(`select from rate_buckets where key = 'full'`)).rowCount).toBe(0);
    expect(await countDeliveries()).toBe(2);
    await removeExpired(deps);
    expect(await countDeliveries()).toBe(0);
  });

  it('logs one line for a pass during which PostgreSQL becomes unavailable', async () => {
    const { host, pathname } = new URL(database.url);
    const proxy = await startTcpProxy(host);
    const url = Object.assign(new URL(database.url), { host: proxy.address, pathname });
    const pool = createPool({ databaseUrl: url.href, size: 2, applicationName: 'attune-test' });
    const lines: unknown[] = [];
    const logger = createLogger('test', 'warn', { write: (line: string) => lines.push(line) });
    const away = new Pace(0);
    away.work = (work) => {
      proxy.mode = 'cut';
      proxy.breakConnections();
      return work();
    };
    try {
      await expect(removeExpired({ ...deps, pool, logger }, away)).rejects.toThrow(
        /deliveries, .*sessions, .*blob_folders/,
      );
    } finally {
      await pool.end();
      await proxy.close();
    }
    expect(lines).toEqual([]);
  });

  it('goes on until nothing expired is left, however much that is', async () => {
    await database.pool.query(
      `insert into imports (project_id, id, state, format, blob_key, bytes, finished_at)
       select $1, gen_random_uuid(), 'done', 'jsonl', '', 1, now() - interval '91 days' from generate_series(1, 10_250)`,
      [projectId],
    );
    await removeExpired(deps);
    expect(await removed('imports')).toBe(10_250);
  });

  it('is done by one relay at a time', async () => {
    await putFolder('due', true);
    await runExclusively(database.pool, 'retention', () => removeExpired(deps));
    expect(await stored()).toEqual(['due']);
    await runExclusively(database.pool, 'reconciler', () => removeExpired(deps));
    expect(await stored()).toEqual([]);
  });

  it('ends after the current batch when it is stopped', async () => {
    await putFolder('due', true);
    const pace = new Pace(0);
    pace.end();
    await removeExpired(deps, pace);
    expect(await stored()).toEqual(['due']);
  });
});
