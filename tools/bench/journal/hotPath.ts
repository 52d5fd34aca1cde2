/**
 * Measures what the journal's indexes and the free space in its pages cost a delivery, from its record to its
 * settlement, compared with the state before migration 0022.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { claimDeliveries } from '../../../db/webhooks/deliveries/claims.ts';
import { recordItemEvent } from '../../../db/webhooks/deliveries/recordItemEvent.ts';
import { recordSettlements } from '../../../db/webhooks/deliveries/outcomes.ts';
import { migrate } from '../../../db/migrate.ts';
import { TEST_ITEM } from '../../../domain/webhooks/testItem.ts';
import { percentile, type Figure } from '../support/report.ts';
import type { BenchDatabase } from '../intake/database.ts';

const ROUNDS = 5;
const EVENTS = 1_000;
const EVENTS_PER_COMMIT = 100;
const CLAIMS = { batch: 500, perWebhook: 500, urgentPerWebhook: 12, leaseMs: 60_000 };
const PROJECT = 'hotpath00001';
const ITEM = {
  ...TEST_ITEM,
  id: 'item',
  summary: {
    summary: 'of what it is '.repeat(20),
    topics: ['a', 'b'],
    tags: ['c', 'd'],
    age_rating: '12+',
    moderation: { level: 'none' },
  },
};

const FORMER_INDEXES = `
  drop index deliveries_journal, deliveries_item, deliveries_error, deliveries_item_error;
  create index deliveries_journal on deliveries (project_id, webhook_id, created_at desc, id desc);
  create index deliveries_item on deliveries (project_id, item_id);
  alter table deliveries reset (fillfactor, autovacuum_vacuum_threshold, autovacuum_vacuum_scale_factor, vacuum_index_cleanup)`;

interface Cost {
  /** Processor time of its backend for one delivery, in microseconds. */
  cpu: number;
  walBytes: number;
}

interface Contender {
  client: pg.Client;
  backend: number;
}

async function createContender(database: BenchDatabase, name: string, change: string): Promise<Contender> {
  await database.query(`create database ${name}`);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const client = new pg.Client({ connectionString: url.href, options: '-c enable_seqscan=off -c jit=off' });
  await client.connect();
  await client.query(change);
  await client.query(`insert into clients (title) values ('a client')`);
  await client.query(`insert into projects (id, client_id, title) select '${PROJECT}', id, 'a project' from clients`);
  await client.query(
    `insert into webhooks (project_id, url, events, secret) values ('${PROJECT}', 'https://receiver.test/', '{item.processed}', '')`,
  );
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return { client, backend: rows[0]?.pid ?? 0 };
}

/** Returns the processor time of a process, in microseconds. */
const cpuOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000;

async function walPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`,
  );
  return rows[0]?.bytes ?? Number.NaN;
}

async function record({ client }: Contender): Promise<void> {
  for (let n = 0; n < EVENTS; n += 1) {
    if (n % EVENTS_PER_COMMIT === 0) await client.query('begin');
    const itemId = `item-${Math.floor(Math.random() * 1_000_000)}`;
    await recordItemEvent(client, {
      projectId: PROJECT,
      itemId,
      event: 'item.processed',
      item: { ...ITEM, id: itemId },
      requestId: null,
    });
    if ((n + 1) % EVENTS_PER_COMMIT === 0) await client.query('commit');
  }
}

async function deliver({ client }: Contender): Promise<void> {
  const outcome = { startedAt: new Date(), durationMs: 5, responseStatus: 200, errorCode: null, error: null };
  let settled = 0;
  while (settled < EVENTS) {
    const { deliveries } = await claimDeliveries(client, CLAIMS);
    const counted = await recordSettlements(
      client,
      deliveries.map((claim) => ({ claim, outcome, retryInMs: null })),
    );
    if (!counted.every(Boolean) || counted.length === 0) throw new Error('a delivery was not settled');
    settled += counted.length;
  }
}

async function costOf(contender: Contender): Promise<Cost> {
  const before = { cpu: cpuOf(contender.backend), wal: await walPosition(contender.client) };
  await record(contender);
  await deliver(contender);
  return {
    cpu: (cpuOf(contender.backend) - before.cpu) / EVENTS,
    walBytes: ((await walPosition(contender.client)) - before.wal) / EVENTS,
  };
}

/** Alternates between the two variants, so that a slow machine slows both; returns the medians of their ratios. */
export async function measureHotPath(database: BenchDatabase): Promise<Figure[]> {
  const before = await createContender(database, 'hotpath_before', FORMER_INDEXES);
  const now = await createContender(database, 'hotpath_now', 'select 1');
  await database.query('checkpoint');
  const cpu: number[] = [];
  const wal: number[] = [];
  const cpuNow: number[] = [];
  // The first round warms the caches.
  for (let round = -1; round < ROUNDS; round += 1) {
    const was = await costOf(before);
    const is = await costOf(now);
    if (round < 0) continue;
    cpu.push(is.cpu / was.cpu);
    wal.push(is.walBytes / was.walBytes);
    cpuNow.push(is.cpu);
  }
  await before.client.end();
  await now.client.end();
  return [
    {
      name: 'a delivery recorded, claimed and settled: processor time of PostgreSQL',
      value: percentile(cpuNow, 50),
      unit: 'µs',
      aim: null,
    },
    {
      name: 'the same, divided by that with the earlier indexes',
      value: percentile(cpu, 50),
      unit: 'ratio',
      aim: '<= 1',
    },
    {
      name: 'bytes of log for it, divided by those with the earlier indexes',
      value: percentile(wal, 50),
      unit: 'ratio',
      aim: '<= 1',
    },
  ];
}
