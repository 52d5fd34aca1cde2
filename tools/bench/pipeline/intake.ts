/** Measures PUT latency at a fixed rate, and text items from PUT to ready and to the last webhook. */
import { setTimeout as delay } from 'node:timers/promises';
import { createPool } from '../../../db/pool.ts';
import { readSeconds, spentBetween } from '../support/cores.ts';
import type { Receiver } from '../support/receiver.ts';
import { percentile, type Figure } from '../support/report.ts';
import type { BenchStack } from '../support/stack.ts';
import { LONG, SHORT, textBody } from './texts.ts';

const PACE_PER_SECOND = 20;
const PACED_SECONDS = 30;
const BULK_ITEMS = 500;
const BULK_AT_ONCE = 16;
const LONG_ITEMS = 200;
const IDLE_ITEMS = 30;
const WARM_UP_ITEMS = 50;
const IDLE_SECONDS = 10;
/** Processes that spend less on an item are not listed. */
const MIN_MS = 0.5;

async function put(stack: BenchStack, id: string, n: number, length = SHORT): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${stack.contentUrl}/items/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${stack.project.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(textBody(n, length)),
  });
  if (response.status !== 201) throw new Error(`PUT answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  return performance.now() - start;
}

/** Sends in an open loop: a slow response does not delay the next request. */
async function pacedPuts(stack: BenchStack): Promise<number[]> {
  const pending: Promise<number>[] = [];
  for (let n = 0; n < PACE_PER_SECOND * PACED_SECONDS; n += 1) {
    pending.push(put(stack, `paced-${n}`, n));
    await delay(1000 / PACE_PER_SECOND);
  }
  return Promise.all(pending);
}

async function bulkSeconds(
  stack: BenchStack,
  receiver: Receiver,
  prefix: string,
  count: number,
  length = SHORT,
): Promise<number> {
  const start = performance.now();
  const done = receiver.whenReceived(prefix, count);
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < count) await put(stack, `${prefix}${next}`, next++, length);
  };
  await Promise.all(Array.from({ length: BULK_AT_ONCE }, sender));
  await done;
  return (performance.now() - start) / 1000;
}

/** Measures one item at a time; "ready" is the status change by the database's clock, which is this machine's. */
async function idleMilliseconds(stack: BenchStack, receiver: Receiver): Promise<number[]> {
  const pool = createPool({ databaseUrl: stack.databaseUrl, size: 1, applicationName: 'attune-bench' });
  const times: number[] = [];
  for (let n = 0; n < IDLE_ITEMS; n += 1) {
    const id = `idle-${n}-`;
    const start = Date.now();
    const done = receiver.whenReceived(id, 1);
    await put(stack, id, n);
    await done;
    const { rows } = await pool.query<{ ready: Date }>(
      'select updated_at as ready from items where project_id = $1 and id = $2',
      [stack.project.id, id],
    );
    times.push((rows[0]?.ready.getTime() ?? Number.NaN) - start);
  }
  await pool.end();
  return times;
}

/** Measures the processor time of each process, in seconds, while `work` runs. */
async function spentDuring<T>(
  stack: BenchStack,
  work: () => Promise<T>,
): Promise<{ result: T; spent: { who: string; spent: number }[] }> {
  const pool = createPool({ databaseUrl: stack.databaseUrl, size: 1, applicationName: 'bench' });
  const database = { query: async (sql: string) => (await pool.query<{ pid: number; name: string }>(sql)).rows };
  const before = await readSeconds(stack.whole, database);
  const result = await work();
  const spent = spentBetween(before, await readSeconds(stack.whole, database));
  await pool.end();
  return { result, spent };
}

/** Measures the rate, and the cost of a text item for each process. */
async function bulkCosts(stack: BenchStack, receiver: Receiver): Promise<{ seconds: number; costs: Figure[] }> {
  const { result: seconds, spent } = await spentDuring(stack, () => bulkSeconds(stack, receiver, 'bulk-', BULK_ITEMS));
  const ofItem = spent.map(({ who, spent: processor }) => ({ who, ms: (1_000 * processor) / BULK_ITEMS }));
  const costs = [{ who: 'all processes', ms: ofItem.reduce((sum, { ms }) => sum + ms, 0) }, ...ofItem]
    .filter(({ ms }) => ms >= MIN_MS)
    .map(({ who, ms }) => ({ name: `processor time of a text item: ${who}`, value: ms, unit: 'ms', aim: null }));
  return { seconds, costs };
}

/** Measures what the stack spends while nothing is sent. */
async function idleCosts(stack: BenchStack): Promise<Figure[]> {
  const { spent } = await spentDuring(stack, () => delay(IDLE_SECONDS * 1_000));
  return spent
    .map(({ who, spent: processor }) => ({ who, ms: (1_000 * processor) / IDLE_SECONDS }))
    .filter(({ ms }) => ms >= MIN_MS)
    .map(({ who, ms }) => ({ name: `processor time of an idle second: ${who}`, value: ms, unit: 'ms', aim: null }));
}

/** Measures short texts alone. */
export async function measureBulk(stack: BenchStack, receiver: Receiver): Promise<Figure[]> {
  await bulkSeconds(stack, receiver, 'warm-up-', WARM_UP_ITEMS);
  const idle = await idleCosts(stack);
  const { seconds, costs } = await bulkCosts(stack, receiver);
  return [bulkRate(seconds), ...costs, ...idle];
}

function bulkRate(seconds: number): Figure {
  return {
    name: `${BULK_ITEMS} text items, first PUT to last webhook`,
    value: BULK_ITEMS / seconds,
    unit: 'items/s',
    aim: '>= 25',
  };
}

export async function measureIntake(stack: BenchStack, receiver: Receiver): Promise<Figure[]> {
  await bulkSeconds(stack, receiver, 'warm-up-', WARM_UP_ITEMS);
  const idle = await idleMilliseconds(stack, receiver);
  const latencies = await pacedPuts(stack);
  await receiver.whenReceived('paced-', latencies.length);
  const { seconds, costs } = await bulkCosts(stack, receiver);
  const longSeconds = await bulkSeconds(stack, receiver, 'long-', LONG_ITEMS, LONG);
  return [
    { name: `PUT latency at ${PACE_PER_SECOND}/s, p50`, value: percentile(latencies, 50), unit: 'ms', aim: null },
    { name: `PUT latency at ${PACE_PER_SECOND}/s, p99`, value: percentile(latencies, 99), unit: 'ms', aim: null },
    bulkRate(seconds),
    ...costs,
    {
      name: `${LONG_ITEMS} text items of 8 KB, which take the queue ai`,
      value: LONG_ITEMS / longSeconds,
      unit: 'items/s',
      aim: null,
    },
    { name: 'PUT to ready when idle, median', value: percentile(idle, 50), unit: 'ms', aim: '< 300' },
    { name: 'PUT to ready when idle, p95', value: percentile(idle, 95), unit: 'ms', aim: null },
  ];
}
