/** Measures the upkeep of the journal: removal of old rows, the review of backlogs, and claims alongside backlogs. */
import type pg from 'pg';
import { claimDeliveries, releaseClaims } from '../../../db/webhooks/deliveries/claims.ts';
import { deleteOldDeliveries } from '../../../db/webhooks/deliveries/deleteDeliveries.ts';
import { reviewBacklogs } from '../../../db/webhooks/backlog.ts';
import { JOURNAL_DAYS } from '../../../domain/webhooks/journalDays.ts';
import { percentile, type Figure } from '../support/report.ts';
import type { BenchDatabase } from '../intake/database.ts';

const TIMES = 20;
/** The batch size of loops/relay/removeExpired.ts. */
const BATCH = 1_000;
const BATCHES = 50;
const CLAIMS = { batch: 64, perWebhook: 16, urgentPerWebhook: 4, leaseMs: 50_000 };

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}

export async function measureRemoval(pool: pg.Pool, database: BenchDatabase): Promise<Figure[]> {
  const idle: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    const { ms, result } = await timed(() => deleteOldDeliveries(pool, JOURNAL_DAYS + 1, BATCH));
    if (result !== 0) throw new Error('nothing is that old');
    idle.push(ms);
  }
  const batches: number[] = [];
  for (let n = 0; n < BATCHES; n += 1) {
    const { ms, result } = await timed(() => deleteOldDeliveries(pool, JOURNAL_DAYS, BATCH));
    if (result < BATCH) break;
    batches.push(ms);
  }
  if (batches.length === 0) throw new Error(`fewer than ${BATCH} deliveries were old enough`);
  const vacuum = await timed(() => database.query('vacuum deliveries'));
  return [
    {
      name: 'deliveries removed, with their attempts',
      value: (batches.length * BATCH) / (batches.reduce((a, b) => a + b, 0) / 1_000),
      unit: 'rows/s',
      aim: null,
    },
    {
      name: `a batch of ${BATCH} of them`,
      value: percentile(batches, 99),
      unit: `ms, p99 of ${batches.length}`,
      aim: '< 2000',
    },
    { name: 'a check that finds nothing old', value: percentile(idle, 99), unit: 'ms, p99 of 20', aim: '< 50' },
    { name: 'vacuum of the deliveries afterwards', value: vacuum.ms / 1_000, unit: 's', aim: null },
  ];
}

export async function measureBacklogs(pool: pg.Pool): Promise<Figure[]> {
  const reviews: number[] = [];
  const claims: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    reviews.push((await timed(() => reviewBacklogs(pool))).ms);
    const { ms, result } = await timed(() => claimDeliveries(pool, CLAIMS));
    if (result.deliveries.length !== CLAIMS.batch) throw new Error(`${result.deliveries.length} were claimed`);
    claims.push(ms);
    await releaseClaims(pool, result.deliveries);
  }
  return [
    {
      name: 'review of the backlogs: 20 webhooks with 50,000 waiting each',
      value: percentile(reviews, 50),
      unit: 'ms, p50 of 20',
      aim: null,
    },
    { name: 'a claim of 64 over the same', value: percentile(claims, 50), unit: 'ms, p50 of 20', aim: null },
  ];
}
