/** Measures how fast a backlog is delivered. */
import type { Figure } from '../support/report.ts';
import { withCpu, type Bench } from './bench.ts';
import { now } from './clock.ts';
import type { CpuSeconds } from './cpu.ts';
import { addHooks, holdDeliveries, releaseDeliveries, removeHooks, untilAttempted } from './hooks.ts';
import { sendBacklog } from './inject.ts';
import { cpuFigures } from './latency.ts';

const BACKLOG = 10_000;
const AIM = '>= 1800';

interface Drain {
  /** Receipts per second, from the end of the hold to the last receipt. */
  received: number;
  /** The same rate, up to the moment when every outcome is stored. */
  stored: number;
  cpu: CpuSeconds;
}

export async function measureDrain(bench: Bench): Promise<Figure[]> {
  const [one, five] = [await drain(bench, 1), await drain(bench, 5)];
  return [
    { name: `drain of ${BACKLOG} to one address, receipts`, value: one.received, unit: 'deliveries/s', aim: AIM },
    { name: `drain of ${BACKLOG} to one address, outcomes stored`, value: one.stored, unit: 'deliveries/s', aim: null },
    { name: `drain of ${BACKLOG} to five addresses, receipts`, value: five.received, unit: 'deliveries/s', aim: AIM },
    {
      name: `drain of ${BACKLOG} to five addresses, outcomes stored`,
      value: five.stored,
      unit: 'deliveries/s',
      aim: null,
    },
    ...cpuFigures('in the drain to one address', one.cpu, BACKLOG),
    ...cpuFigures('in the drain to five addresses', five.cpu, BACKLOG),
  ];
}

/** Measures only the drain: the backlog builds up while the circuit breaker holds it. */
async function drain(bench: Bench, addresses: number): Promise<Drain> {
  const { pool, receiver } = bench;
  const hooks = await addHooks(pool, receiver.urls.slice(0, addresses));
  const run = `drain-${addresses}`;
  await holdDeliveries(pool, hooks);
  await sendBacklog(pool, run, hooks, BACKLOG);
  const { outcome, cpu } = await withCpu(bench, async () => {
    const start = now();
    await releaseDeliveries(pool, hooks);
    const { receivedAt } = await receiver.collect(
      run,
      hooks.map(() => BACKLOG / addresses),
    );
    await untilAttempted(pool, hooks);
    const rate = (end: number): number => BACKLOG / ((end - start) / 1000);
    return { received: rate(Math.max(...receivedAt.values())), stored: rate(now()) };
  });
  await removeHooks(pool, hooks);
  return { ...outcome, cpu };
}
