/** Several webhook workers as real processes: what they share, and whose clock they go by. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { isSignedBy, startReceiver } from '../support/receiver.ts';
import { addProject, addWebhook, allSettled, deliveriesUntil, recordEvent, testItem, TEST_SECRET_TEXT, type TestWebhook } from '../support/webhooks.ts';
import { cleanUp, closedPort } from '../outgoing/support/servers.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const BACKLOG = 20_000;
const ANSWER_MS = 100;
const PATIENCE_MS = 90_000;

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

async function start({ execArgv = [], env = {} }: { execArgv?: string[]; env?: Record<string, string> } = {}): Promise<ChildProcess> {
  const child = fork(`${ROOT}workers/webhook.ts`, {
    cwd: ROOT, silent: true, execArgv: ['--disable-warning=ExperimentalWarning', ...execArgv],
    env: {
      PATH: process.env['PATH'], DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_TEXT, PUBLIC_URL: 'https://attune.example', ALLOW_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'fatal',
      NODE_EXTRA_CA_CERTS: `${ROOT}test/outgoing/fixtures/ca.pem`, TEMPORAL_ADDRESS: `127.0.0.1:${await closedPort()}`, ...env,
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

/** More waiting events than the test can see the end of. */
const fill = ({ projectId, webhookId }: TestWebhook) => database.pool.query(
  `insert into deliveries (project_id, webhook_id, event, item_id, item)
   select $1, $2, 'item.processed', 'item-' || n, $3 from generate_series(1, $4) n`,
  [projectId, webhookId, testItem('item'), BACKLOG],
);

async function shares(): Promise<number[]> {
  const { rows } = await database.pool.query<{ slots: number }>('select slots from webhook_workers order by slots');
  return rows.map((row) => row.slots);
}

const sharesAre = (expected: number[]) => eventually(async () => String(await shares()) === String(expected), `the shares ${expected}`, PATIENCE_MS);

describe('webhook workers', () => {
  it('send one webhook at most 16 requests at a time while one joins, one is killed and one stops', async () => {
    let open = 0;
    let most = 0;
    let sixteens = 0;
    const receiver = await startReceiver((response) => {
      open += 1;
      most = Math.max(most, open);
      if (open === 16) sixteens += 1;
      // Over with its answer, before the sender can know of it; or with the sender's end.
      let isOver = false;
      const end = (): void => {
        if (!isOver) open -= 1;
        isOver = true;
      };
      response.once('close', end);
      setTimeout(() => {
        end();
        response.end();
      }, ANSWER_MS);
    });
    const allSixteenAgain = async (): Promise<void> => {
      const before = sixteens;
      await eventually(() => sixteens > before, 'sixteen requests at a time', PATIENCE_MS);
    };
    const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
    await fill(webhook);
    const first = await start();
    await allSixteenAgain();
    const second = await start();
    await sharesAre([8, 8]);
    await allSixteenAgain();
    await kill(first);
    await sharesAre([16]);
    await allSixteenAgain();
    await start();
    await sharesAre([8, 8]);
    second.kill('SIGTERM');
    await once(second, 'exit');
    await sharesAre([16]);
    await allSixteenAgain();
    expect(most).toBe(16);
  }, 600_000);

  it.each([['ahead', 600_000], ['behind', -600_000]])('whose clock is ten minutes %s sign with a time that receivers take', async (_where, offset) => {
    const receiver = await startReceiver();
    const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
    await start({ execArgv: ['--import', `${ROOT}chaos/support/shiftedDate.ts`], env: { CHAOS_CLOCK_OFFSET_MS: String(offset) } });
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const [request] = await receiver.received(1);
    const now = Date.now();
    expect(request && isSignedBy(request, webhook.secret)).toBe(true);
    expect(Math.abs(now / 1000 - Number(request?.headers['x-core-timestamp']))).toBeLessThan(300);
    const { sent_at: sentAt } = JSON.parse(request?.body ?? '{}') as { sent_at: string };
    expect(Math.abs(now - Date.parse(sentAt))).toBeLessThan(300_000);
    expect(await deliveriesUntil(database.pool, webhook, allSettled)).toMatchObject([{ status: 'delivered', attempt: 1 }]);
  }, 120_000);
});
