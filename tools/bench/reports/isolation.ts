/**
 * Measures the intake and a small report of another site, first side by side, then with two heavy reports.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { percentile, type Figure } from '../support/report.ts';
import type { LoadReply } from '../collect/loadProcess.ts';
import type { TimedOutcome, IsolationStage } from './isolationStage.ts';
import { PERIOD } from './world/sitesAndPeriod.ts';

/** 1,500 hits per second, which leaves some of two cores for reports. */
const OFFERED_LOAD = { events: 10, connections: 64, pace: 150 };
const WARM_UP_SECONDS = 3;
/** Pause between two small reports, as when a person looks at one after the other. */
const THINK_TIME_MS = 250;
const HEAVY_AT_ONCE = 2;

/** Joins each of ten million hits to its visit and its visitor, in order of time, and counts all people. */
const HEAVY = {
  ...PERIOD,
  dimensions: ['source_type', 'device_type', 'country', 'browser', 'page_path'],
  metrics: [
    'pageviews',
    'visits',
    'visitors',
    'unique_pageviews',
    'entrances',
    'exits',
    'avg_time_on_page',
    'avg_scroll_depth',
  ],
  segment: {
    scope: 'visitor',
    any: [
      { dimension: 'page_path', op: 'contains', values: ['a'] },
      { dimension: 'goal', op: 'eq', values: ['purchase'] },
    ],
  },
};
const SMALL = {
  ...PERIOD,
  date_from: '2026-10-22',
  dimensions: ['date'],
  metrics: ['visits', 'visitors', 'bounce_rate'],
};

export interface IsolationPlan {
  /** Sites of the heavy reports and of the small one. */
  heavy: string;
  small: string;
  /** Seconds of each of the two measurements. */
  seconds: number;
}

interface Observation {
  intake: LoadReply;
  /** Latency of each small report in milliseconds. */
  small: number[];
  /** Number of requests that were still in the inbox at the end. */
  waiting: number;
}

export async function measureIsolation(stage: IsolationStage, plan: IsolationPlan): Promise<Figure[]> {
  await stage.ask(plan.small, SMALL);
  await stage.load({ ...OFFERED_LOAD, seconds: WARM_UP_SECONDS });
  const alone = await observe(stage, plan);
  const heavy = startHeavy(stage, plan.heavy);
  const beside = await Promise.race([observe(stage, plan), heavy.failed]);
  return [
    ...figuresOf('alone', alone),
    ...figuresOf('beside two heavy reports', beside),
    ...ratios(alone, beside),
    ...heavyFigures(await heavy.stop()),
  ];
}

async function observe(stage: IsolationStage, { small: site, seconds }: IsolationPlan): Promise<Observation> {
  let isOver = false;
  const loading = stage.load({ ...OFFERED_LOAD, seconds }).finally(() => (isOver = true));
  const small: number[] = [];
  while (!isOver) {
    const { ms, outcome } = await stage.ask(site, SMALL);
    if (outcome !== 'whole') throw new Error(`the small report: ${outcome}`);
    small.push(ms);
    await pause(THINK_TIME_MS);
  }
  const intake = await loading;
  const { rows } = await stage.pool.query<{ waiting: number }>('select count(*)::int as waiting from collect_inbox');
  return { intake, small, waiting: rows[0]?.waiting ?? Number.NaN };
}

/** Runs reports one after another, two at a time, until they are stopped; stopping waits for the running ones. */
function startHeavy(stage: IsolationStage, site: string): { failed: Promise<never>; stop(): Promise<TimedOutcome[]> } {
  const answers: TimedOutcome[] = [];
  let isStopped = false;
  const again = async (): Promise<void> => {
    while (!isStopped) answers.push(await stage.ask(site, HEAVY));
  };
  const running = Promise.all(Array.from({ length: HEAVY_AT_ONCE }, again));
  const failed = new Promise<never>((_resolve, reject) => void running.catch(reject));
  failed.catch(() => {});
  return {
    failed,
    async stop() {
      isStopped = true;
      await running;
      return answers;
    },
  };
}

function figuresOf(how: string, { intake, small, waiting }: Observation): Figure[] {
  const figure = (name: string, value: number, unit: string): Figure => ({
    name: `${name}, ${how}`,
    value,
    unit,
    aim: null,
  });
  return [
    figure('hits accepted', intake.events / intake.seconds, 'hits/s'),
    figure('answer of POST /collect, p50', percentile(intake.latencies, 50), 'ms'),
    figure('answer of POST /collect, p99', percentile(intake.latencies, 99), 'ms'),
    figure('requests in the inbox at the end', waiting, ''),
    figure('small report, p50', percentile(small, 50), 'ms'),
    figure('small report, slowest', Math.max(...small), 'ms'),
  ];
}

function ratios(alone: Observation, beside: Observation): Figure[] {
  const perSecond = ({ intake }: Observation): number => intake.events / intake.seconds;
  const ratio = (name: string, of: (seen: Observation) => number, aim: string | null): Figure => ({
    name: `${name}, beside divided by alone`,
    value: of(beside) / of(alone),
    unit: '',
    aim,
  });
  return [
    ratio('hits accepted', perSecond, '>= 0.95'),
    ratio('answer of POST /collect, p50', ({ intake }) => percentile(intake.latencies, 50), null),
    ratio('answer of POST /collect, p99', ({ intake }) => percentile(intake.latencies, 99), null),
    ratio('small report, p50', ({ small }) => percentile(small, 50), null),
  ];
}

function heavyFigures(answers: readonly TimedOutcome[]): Figure[] {
  const ended = (outcome: TimedOutcome['outcome']): Figure => ({
    name: `heavy reports: ${outcome}`,
    value: answers.filter((answer) => answer.outcome === outcome).length,
    unit: '',
    aim: null,
  });
  return [
    {
      name: 'heavy report, p50',
      value: percentile(
        answers.map(({ ms }) => ms),
        50,
      ),
      unit: 'ms',
      aim: null,
    },
    ended('whole'),
    ended('sampled'),
    ended('gave up'),
  ];
}
