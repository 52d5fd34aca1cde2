/** Several webhook workers as real processes: their shared limits, and the clock that they use. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bareEnv } from '../support/programs/bareEnv.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { isSignedBy, startReceiver, type ReceivedRequest } from '../support/servers/receiver.ts';
import { addProject, addWebhook, testItem, TEST_SECRET_TEXT, type TestWebhook } from '../support/webhooks/webhooks.ts';
import { cleanUp, closedPort } from '../platform/outgoing/support/servers.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
/** Number of events that are recorded at once; more are recorded when fewer than `FEW` remain to be sent. */
const BACKLOG = 2_000;
const FEW = 1_000;
/** A seventeenth request would arrive within this time. */
const LINGER_MS = 100;
/** No request waits longer than this for others. */
const HOLD_MS = 1_000;
const TEN_MINUTES_MS = 600_000;

let database: TestDatabase;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all([...children].map(kill));
  await cleanUp();
  await database.pool.query('delete from webhooks');
});
afterAll(() => database.drop());

/** Starts a worker whose clock is off by `clockOffsetMs`. */
async function start(clockOffsetMs: number): Promise<ChildProcess> {
  const child = fork(`${ROOT}workers/webhook.ts`, {
    cwd: ROOT,
    silent: true,
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', `${ROOT}tools/chaos/support/shiftedDate.ts`],
    env: {
      ...bareEnv(),
      DATABASE_URL: database.url,
      SECRET_KEY: TEST_SECRET_TEXT,
      PUBLIC_URL: 'https://attune.example',
      ALLOW_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'fatal',
      NODE_EXTRA_CA_CERTS: `${ROOT}test/platform/outgoing/fixtures/ca.pem`,
      TEMPORAL_ADDRESS: `127.0.0.1:${await closedPort()}`,
      CHAOS_CLOCK_OFFSET_MS: String(clockOffsetMs),
    },
  });
  children.add(child);
  child.stderr?.pipe(process.stderr);
  await once(child, 'message');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/**
 * Starts a receiver that answers when sixteen requests are in progress, and checks that there are never more and
 * that each is signed correctly.
 */
async function startCounter() {
  const open = new Set<() => void>();
  const counts = { most: 0, sixteens: 0, wrong: 0 };
  const secrets: string[] = [];
  const receiver = await startReceiver((response, request) => {
    if (!secrets.some((secret) => isSignedBy(request, secret)) || !isTimely(request)) counts.wrong += 1;
    // A request ends with its answer, before the sender can know about it, or when the sender ends.
    const end = (): void => {
      if (open.delete(end)) response.end();
    };
    open.add(end);
    const patience = setTimeout(end, HOLD_MS);
    response.once('close', () => {
      open.delete(end);
      clearTimeout(patience);
    });
    counts.most = Math.max(counts.most, open.size);
    if (open.size !== 16) return;
    counts.sixteens += 1;
    setTimeout(() => {
      for (const each of open) each();
    }, LINGER_MS);
  });
  return { receiver, counts, secrets };
}

/** Reports whether both times of a request are within the 300 s that receivers are told to allow. */
function isTimely({ headers, body }: ReceivedRequest): boolean {
  const { sent_at: sentAt } = JSON.parse(body) as { sent_at: string };
  return [Number(headers['x-core-timestamp']) * 1000, Date.parse(sentAt)].every(
    (time) => Math.abs(Date.now() - time) < 300_000,
  );
}

const fill = ({ projectId, webhookId }: TestWebhook) =>
  database.pool.query(
    `insert into deliveries (project_id, webhook_id, event, item_id, item)
   select $1, $2, 'item.processed', 'item-' || n, $3 from generate_series(1, $4) n`,
    [projectId, webhookId, testItem('item'), BACKLOG],
  );

async function shares(): Promise<string> {
  const { rows } = await database.pool.query<{ slots: number }>('select slots from webhook_workers order by slots');
  return rows.map((row) => row.slots).join();
}

describe('webhook workers', () => {
  it('send one webhook at most 16 requests at a time while one joins, one is killed and one stops, each request signed with a time that receivers accept, even if a worker has the wrong time', async () => {
    const { receiver, counts, secrets } = await startCounter();
    const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
    secrets.push(webhook.secret);
    let recorded = 0;
    /** Keeps the workers supplied with events, however long it takes. */
    const until = (isSo: () => Promise<boolean> | boolean, what: string) =>
      eventually(async () => {
        if (recorded - receiver.requests.length < FEW) {
          await fill(webhook);
          recorded += BACKLOG;
        }
        return isSo();
      }, what);
    const sharesAre = (expected: string) => until(async () => (await shares()) === expected, `the shares ${expected}`);
    const allSixteenAgain = (): Promise<boolean> => {
      const before = counts.sixteens;
      return until(() => counts.sixteens > before, 'sixteen requests at a time');
    };

    const first = await start(TEN_MINUTES_MS);
    await allSixteenAgain(); // all sixteen of the first worker
    const second = await start(-TEN_MINUTES_MS);
    await sharesAre('8,8');
    await allSixteenAgain();
    await kill(first);
    await sharesAre('16');
    await allSixteenAgain(); // all sixteen of the second worker
    await start(0);
    await sharesAre('8,8');
    second.kill('SIGTERM');
    await once(second, 'exit');
    await sharesAre('16');
    await allSixteenAgain();
    expect(counts).toMatchObject({ most: 16, wrong: 0 });
    const { rows } = await database.pool.query(
      `select distinct status, attempt, error_code from deliveries where status <> 'pending'`,
    );
    expect(rows).toEqual([{ status: 'delivered', attempt: 1, error_code: null }]);
  });
});
