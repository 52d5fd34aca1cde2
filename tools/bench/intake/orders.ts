/** Measures orders: accepted over HTTP, and expanded into events by their workflows. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Load } from '../support/load.ts';
import { percentile, type Figure } from '../support/report.ts';
import { LINES_PER_ORDER, ORDERS_PER_REQUEST, ordersBody } from './bodies.ts';
import type { BenchDatabase } from './database.ts';

const CONNECTIONS = 4;
const REQUESTS = 20;
const PACED_SECONDS = 10;
const POLL_MS = 50;

async function untilExpanded(database: BenchDatabase): Promise<void> {
  for (;;) {
    const [left] = await database.query<{ any: boolean }>(
      `select exists (select from jobs where kind = 'orders') as any`,
    );
    if (!left?.any) return;
    await delay(POLL_MS);
  }
}

const post = (body: string) => ({ method: 'POST' as const, path: '/orders/batch', body });

/** @param relay hands the requests to their workflows; the expansion is timed from the moment it resumes */
export async function measureOrders(
  load: Load,
  database: BenchDatabase,
  relay: { pause(): void; resume(): void },
): Promise<Figure[]> {
  relay.pause();
  const bodies = Array.from({ length: REQUESTS }, ordersBody);
  const batches = await load.atFullSpeed((n) => post(bodies[n] ?? ordersBody()), REQUESTS, CONNECTIONS);
  const start = performance.now();
  relay.resume();
  await untilExpanded(database);
  const orders = REQUESTS * ORDERS_PER_REQUEST;
  const seconds = (performance.now() - start) / 1000;
  await requireAllLines(database);
  const half = batches / 2;
  const paced = Array.from({ length: Math.ceil(half * PACED_SECONDS) }, ordersBody);
  const latencies = await load.atPace((n) => post(paced[n] ?? ordersBody()), half, PACED_SECONDS);
  await untilExpanded(database);
  return [
    {
      name: `orders of ${LINES_PER_ORDER} lines accepted through POST /orders/batch`,
      value: batches * ORDERS_PER_REQUEST,
      unit: 'orders/s',
      aim: null,
    },
    { name: 'orders expanded into events', value: orders / seconds, unit: 'orders/s', aim: null },
    {
      name: 'POST /orders/batch of 500 at half load of the intake while orders expand, p50',
      value: percentile(latencies, 50),
      unit: 'ms',
      aim: null,
    },
    {
      name: 'POST /orders/batch of 500 at half load of the intake while orders expand, p99',
      value: percentile(latencies, 99),
      unit: 'ms',
      aim: null,
    },
  ];
}

/** Checks that no line is missing, because a fast expansion that loses lines does not count. */
async function requireAllLines(database: BenchDatabase): Promise<void> {
  const [counts] = await database.query<{ lines: number; events: number }>(
    `select (select count(*)::int from order_lines) as lines, (select count(*)::int from events where order_id is not null) as events`,
  );
  if (!counts || counts.lines === 0 || counts.lines !== counts.events)
    throw new Error(`${counts?.lines} lines became ${counts?.events} events`);
}
