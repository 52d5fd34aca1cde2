/** Measures from the commit of an event to its receipt. */
import { percentile, type Figure } from '../support/report.ts';
import { withCpu, type Bench } from './bench.ts';
import type { CpuSeconds } from './cpu.ts';
import { addHooks, removeHooks, untilAttempted, type Hook } from './hooks.ts';
import { sendPaced, type Pace, type Sent } from './inject.ts';
import type { Receipts } from './receiverProcess.ts';

const AIM = '< 50';
const WARM_UP = { perSecond: 100, seconds: 5 };

export interface Latency {
  hook: Hook;
  /** Milliseconds from the response to the commit. Negative when the webhook was faster than that response. */
  fromCommit: number;
  /** Milliseconds from the start of the transaction. */
  fromBegin: number;
}

/** Sends at a fixed rate and waits for the events that the given webhooks should receive. */
export async function measureLatency(
  { pool, receiver }: Bench,
  pace: Pace,
  awaited: readonly Hook[] = pace.hooks,
): Promise<Latency[]> {
  const sent = (await sendPaced(pool, pace)).filter(({ hook }) => awaited.includes(hook));
  const counts = pace.hooks.map((hook) => sent.filter((one) => one.hook === hook).length);
  return latenciesOf(sent, await receiver.collect(pace.run, counts));
}

function latenciesOf(sent: readonly Sent[], { receivedAt }: Receipts): Latency[] {
  return sent.map(({ itemId, hook, begunAt, committedAt }) => {
    const at = receivedAt.get(itemId);
    if (at === undefined) throw new Error(`the webhook of ${itemId} did not arrive`);
    return { hook, fromCommit: at - committedAt, fromBegin: at - begunAt };
  });
}

/** Measures one webhook that answers at once. */
export async function measureHealthy(bench: Bench): Promise<Figure[]> {
  const hooks = await addHooks(bench.pool, bench.receiver.urls.slice(0, 1));
  await measureLatency(bench, { run: 'warm-up', hooks, ...WARM_UP });
  const figures: Figure[] = [];
  for (const perSecond of [50, 200]) {
    const { outcome, cpu } = await withCpu(bench, async () => {
      const latencies = await measureLatency(bench, {
        run: `healthy-${perSecond}`,
        hooks,
        perSecond,
        seconds: bench.seconds,
      });
      await untilAttempted(bench.pool, hooks);
      return latencies;
    });
    figures.push(...latencyFigures(perSecond, outcome), ...cpuFigures(`at ${perSecond}/s`, cpu, outcome.length));
  }
  await removeHooks(bench.pool, hooks);
  return figures;
}

function latencyFigures(perSecond: number, latencies: readonly Latency[]): Figure[] {
  const fromCommit = latencies.map((latency) => latency.fromCommit);
  const fromBegin = latencies.map((latency) => latency.fromBegin);
  return [
    ...[50, 95, 99].map((p) => ({
      name: `commit to receipt at ${perSecond}/s, p${p}`,
      value: percentile(fromCommit, p),
      unit: 'ms',
      aim: p === 95 ? AIM : null,
    })),
    {
      name: `start of the transaction to receipt at ${perSecond}/s, p95`,
      value: percentile(fromBegin, 95),
      unit: 'ms',
      aim: null,
    },
  ];
}

/** Returns seconds per 1,000 deliveries for the two processes that deliver. */
export function cpuFigures(when: string, cpu: CpuSeconds, deliveries: number): Figure[] {
  const figure = (name: string, seconds: number): Figure => ({
    name: `CPU of 1,000 deliveries ${when}, ${name}`,
    value: (seconds * 1000) / deliveries,
    unit: 's',
    aim: null,
  });
  return [figure('webhook worker', cpu.webhook), figure('PostgreSQL', cpu.postgres)];
}
