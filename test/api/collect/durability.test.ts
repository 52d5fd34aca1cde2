/** Batches answered with 202 are stored exactly once, whichever process dies meanwhile. */
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import { createPool } from '../../../db/pool.ts';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { resolveEngine } from '../../../tools/scripts/engines/index.ts';
import { startPostgres, type PostgresServer } from '../../../tools/scripts/engines/servers/postgres.ts';
import { batch, createTestSite, event, type TestSite } from './support/site.ts';
import { bareEnv } from '../../support/programs/bareEnv.ts';
import { copyCluster } from '../../support/servers/cluster.ts';
import { PATIENT_POOL } from '../../support/database.ts';

const SENDERS = 6;
const BATCHES = 15;
const EVENTS = 8;

let folder: string;
let postgres: PostgresServer;
let startAgain: () => Promise<PostgresServer>;
let pool: ReturnType<typeof createPool>;
let site: TestSite;
let api: ChildProcess;
let apiPort: number;

/** Kills the process as a power failure would. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function startApi(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, '../../../api/main.ts'), {
    silent: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      ...bareEnv(),
      DATABASE_URL: postgres.url,
      SECRET_KEY: 'a secret key of the tests, long enough',
      REQUIRE_HTTPS: 'false',
      LOG_LEVEL: 'fatal',
      PORT: String(apiPort),
      ATTUNE_DATA_DIR: join(folder, 'data'),
    },
  });
  child.stdout?.resume();
  child.stderr?.pipe(process.stderr);
  await once(child, 'message');
  return child;
}

beforeAll(async () => {
  const binDir = await resolveEngine('postgres', { report: () => {}, env: process.env });
  folder = await mkdtemp(join(tmpdir(), 'attune-collect-'));
  await chmod(folder, 0o755);
  await copyCluster(join(folder, 'postgres'));
  const port = await freePort();
  // Not a disposable cluster: committed data has to outlive the server.
  startAgain = () => startPostgres({ binDir, dataDir: join(folder, 'postgres'), port, report: () => {} });
  postgres = await startAgain();
  pool = createPool({ databaseUrl: postgres.url, size: 4, applicationName: 'attune-test', ...PATIENT_POOL });
  apiPort = await freePort();
});

beforeEach(async () => {
  site = await createTestSite(pool);
  api ??= await startApi();
});

afterAll(async () => {
  if (api) await kill(api);
  await pool?.end();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Sent {
  visitorId: string;
  ids: string[];
}

/** Sends one batch until it is accepted, as the tag does. @returns how often it was refused or lost */
async function deliver(body: object, onAnswer: () => void): Promise<number> {
  for (let failures = 0; ; failures += 1) {
    const answer = await fetch(`http://127.0.0.1:${apiPort}/collect`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'text/plain' },
    }).catch(() => null);
    const text = await answer?.text().catch(() => null);
    if (answer?.status === 202 && text !== null && text !== undefined) {
      onAnswer();
      const { accepted, dropped } = JSON.parse(text) as { accepted: number; dropped: { code: string }[] };
      expect(accepted + dropped.length).toBe(EVENTS);
      expect(dropped.every(({ code }) => code === 'duplicate')).toBe(true);
      return failures;
    }
    if (answer)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
  }
}

/** Sends with many concurrent senders and calls `disturb` once in the middle. */
async function sendAll(disturb: () => Promise<void>): Promise<{ sent: Sent[]; failures: number }> {
  const sent: Sent[] = [];
  let answers = 0;
  let disturbance: Promise<void> | undefined;
  const onAnswer = (): void => {
    answers += 1;
    if (answers === Math.floor((SENDERS * BATCHES) / 3)) disturbance = disturb();
  };
  const failures = await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      let failed = 0;
      for (let count = 0; count < BATCHES; count += 1) {
        const visitorId = randomUUID();
        const events = Array.from({ length: EVENTS }, () => event());
        failed += await deliver(batch(site.tagKey, events, { visitor_id: visitorId }), onAnswer);
        sent.push({ visitorId, ids: events.map(({ id }) => String(id)) });
      }
      return failed;
    }),
  );
  await disturbance;
  return { sent, failures: failures.reduce((sum, count) => sum + count, 0) };
}

/** Checks that no batch is lost or duplicated and that every visitor is known. */
async function expectOnce(sent: readonly Sent[]): Promise<void> {
  const { rows } = await pool.query<{ visitor: string; events: number; keys: number }>(
    `select i.visitor_id as visitor, count(*)::int as events, count(distinct e ->> 'key')::int as keys
       from collect_inbox i, json_array_elements(i.batch -> 'events') as e where i.site_id = $1 group by 1 order by 1`,
    [site.id],
  );
  expect(rows).toEqual(
    sent
      .map(({ visitorId }) => ({ visitor: visitorId, events: EVENTS, keys: EVENTS }))
      .toSorted((a, b) => (a.visitor < b.visitor ? -1 : 1)),
  );
  const known = await pool.query('select count(*)::int as visitors from site_visitors where site_id = $1', [site.id]);
  expect(known.rows).toEqual([{ visitors: sent.length }]);
}

describe('events that were answered with 202 are stored exactly once', () => {
  // proves: collect/202
  it('when PostgreSQL stops abruptly under load and recovers from its log', async () => {
    const { sent, failures } = await sendAll(async () => {
      process.kill(postgres.pid, 'SIGQUIT');
      await postgres.exited;
      postgres = await startAgain();
    });
    expect(failures).toBeGreaterThan(0);
    await expectOnce(sent);
  });

  // proves: collect/202
  it('when the API is killed under load, including between commit and answer', async () => {
    const { sent, failures } = await sendAll(async () => {
      await kill(api);
      api = await startApi();
    });
    expect(failures).toBeGreaterThan(0);
    await expectOnce(sent);
  });

  // proves: collect/202
  it('when an answer is lost after its commit: repeating the batch gives only duplicates', async () => {
    const visitorId = randomUUID();
    const body = batch(site.tagKey, [event(), event()], { visitor_id: visitorId });
    // The answer cannot be written: the process dies while the commit of its row is in progress.
    await pool.query(`create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(4); return null; end $$;
      create constraint trigger slow after insert on collect_inbox deferrable initially deferred for each row execute function slow()`);
    const lost = fetch(`http://127.0.0.1:${apiPort}/collect`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'text/plain' },
    }).catch(() => null);
    for (;;) {
      const { rows } = await pool.query(
        `select from pg_stat_activity where application_name = 'attune-api' and wait_event = 'PgSleep'`,
      );
      if (rows.length > 0) break;
    }
    await kill(api);
    expect(await lost).toBeNull();
    for (;;) {
      const { rows } = await pool.query('select from collect_inbox where site_id = $1', [site.id]);
      if (rows.length > 0) break;
    }
    await pool.query('drop trigger slow on collect_inbox; drop function slow()');
    api = await startApi();
    const answer = await fetch(`http://127.0.0.1:${apiPort}/collect`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'text/plain' },
    });
    expect(await answer.json()).toEqual({
      accepted: 0,
      dropped: [
        { index: 0, code: 'duplicate' },
        { index: 1, code: 'duplicate' },
      ],
    });
    const { rows } = await pool.query(
      `select json_array_length(batch -> 'events') as events from collect_inbox where site_id = $1`,
      [site.id],
    );
    expect(rows).toEqual([{ events: 2 }]);
  });
});
