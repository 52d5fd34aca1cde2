/** Measures what a failing address costs the others: five addresses, one of which hangs, refuses or answers 500. */
import { freePort } from '../../scripts/engines/servers/freePort.ts';
import { percentile, type Figure } from '../support/report.ts';
import type { Bench } from './bench.ts';
import { addHooks, removeHooks } from './hooks.ts';
import { measureLatency } from './latency.ts';
import type { Answer } from './receiverProcess.ts';

const ADDRESSES = 5;
const BAD = ADDRESSES - 1;
const PER_SECOND = 200;
const SECONDS = 15;
const AIM = '<= 1.2';

const FAULTS = ['hangs', 'refuses', 'answers 500'] as const;
type State = 'healthy' | (typeof FAULTS)[number];

const ANSWERS: Record<State, Answer> = { healthy: 200, hangs: null, refuses: 200, 'answers 500': 500 };

/** Alternates between the states, so that other load on the machine affects all of them. */
export async function measureNeighbours(bench: Bench): Promise<Figure[]> {
  const latencies: Record<State, number[]> = { healthy: [], hangs: [], refuses: [], 'answers 500': [] };
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const state of ['healthy', ...FAULTS] as const)
      latencies[state].push(...(await measureState(bench, state, round)));
  }
  const p95 = (state: State): number => percentile(latencies[state], 95);
  return [
    {
      name: `four of five addresses at ${PER_SECOND}/s in total, all healthy, p95`,
      value: p95('healthy'),
      unit: 'ms',
      aim: null,
    },
    ...FAULTS.flatMap((state) => [
      { name: `the same while the fifth ${state}, p95`, value: p95(state), unit: 'ms', aim: null },
      {
        name: `the same while the fifth ${state}, p95 divided by that of all healthy`,
        value: p95(state) / p95('healthy'),
        unit: '',
        aim: AIM,
      },
    ]),
  ];
}

/** @returns commit to receipt for the other four, in milliseconds */
async function measureState(bench: Bench, state: State, round: number): Promise<number[]> {
  const { pool, receiver } = bench;
  const urls = receiver.urls.slice(0, ADDRESSES);
  if (state === 'refuses') urls[BAD] = `https://127.0.0.1:${await freePort()}/hook`;
  await receiver.setAnswer(BAD, ANSWERS[state]);
  const hooks = await addHooks(pool, urls);
  const pace = { run: `${state.replace(' ', '-')}-${round}`, hooks, perSecond: PER_SECOND, seconds: SECONDS };
  const latencies = await measureLatency(bench, pace, hooks.slice(0, BAD));
  await removeHooks(pool, hooks);
  await receiver.setAnswer(BAD, 200);
  return latencies.map(({ fromCommit }) => fromCommit);
}
