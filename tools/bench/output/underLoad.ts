/** Measures requests under load: their latency, their responses, and the resources that the processes used. */
import { setTimeout as delay } from 'node:timers/promises';
import { coresBetween, readSeconds } from '../support/cores.ts';
import { percentile, type Figure } from '../support/report.ts';
import { figure, type OutputBench } from './bench.ts';
import { beginTraining, EVENTS_PER_SECOND, intakeRequests, requireAccepted } from './backgroundLoad.ts';
import { requestsOf, type OutputRequest, type RequestKind } from './kinds.ts';
import { arrivals, openLoop, type Answer, type Scheduled } from './load.ts';
import { readUsage, usageBetween, type Usage } from './processUsage.ts';
import { randomOf, weighted } from './world/chance.ts';

export const PER_SECOND = 100;
/** Rates at which one kind is measured alone, each for this share of the time that a mix takes. */
const SINGLE_KIND = { perSecond: 50, share: 1 / 6 };
const CALM = { perSecond: 10, share: 1 / 2 };
const IDLE_SECONDS = 5;
/** V8 has compiled most of the code of a request after one or two thousand requests. */
const WARM_UP = { perSecond: 50, seconds: 40 };

interface KindRequest extends OutputRequest {
  kind: string;
}

interface KindAnswer extends Answer {
  kind: string;
}

/** Selection is at rest below this share of a core: it computes no neighbour lists ahead. */
const MAX_IDLE_CORES = 0.02;
/** Longer than the pause between two rounds of computing these lists (output/selection/selection.ts). */
const REST_SECONDS = 40;
const REST_LIMIT_MS = 600_000;

/** Waits until selection has computed all lists, and measures what each idle process uses per second. */
export async function measureIdle(bench: OutputBench): Promise<Usage> {
  const start = performance.now();
  for (let restSeconds = 0; ;) {
    const usage = await measureUsage(bench);
    restSeconds = usage.selection < MAX_IDLE_CORES ? restSeconds + IDLE_SECONDS : 0;
    if (restSeconds >= REST_SECONDS) return usage;
    if (performance.now() - start > REST_LIMIT_MS) throw new Error('selection did not come to rest');
  }
}

async function measureUsage(bench: OutputBench): Promise<Usage> {
  const before = await readUsage(bench);
  const start = performance.now();
  await delay(IDLE_SECONDS * 1_000);
  const spent = usageBetween(before, await readUsage(bench));
  const seconds = (performance.now() - start) / 1_000;
  return scaled(spent, 1 / seconds);
}

const scaled = ({ api, selection, postgres, statements }: Usage, by: number): Usage => ({
  api: api * by,
  selection: selection * by,
  postgres: postgres * by,
  statements: statements * by,
});

function scheduleOf(
  bench: OutputBench,
  kinds: readonly RequestKind[],
  times: readonly number[],
  part: string,
): Scheduled<KindRequest>[] {
  const random = randomOf(`mix ${part}`);
  const shares = kinds.map((kind) => [kind.share, kind] as const);
  const next = new Map(
    kinds.map((kind) => [kind, requestsOf(kind, bench.world, times.length, `${kind.name} ${part}`).values()]),
  );
  return times.flatMap((at) => {
    const kind = weighted(random, shares);
    const request = next.get(kind)?.next().value;
    return request ? [{ at, request: { ...request, kind: kind.name } }] : [];
  });
}

const sender =
  ({ client }: OutputBench) =>
  async ({ kind, ...request }: KindRequest, since: number): Promise<KindAnswer> => ({
    ...(await client.send(request, since)),
    kind,
  });

/** @throws for a response that only a bug in the benchmark explains */
function requireNoClientErrors(answers: readonly KindAnswer[]): void {
  const wrong = answers.find(({ status }) => status >= 400 && status < 500);
  if (wrong) throw new Error(`${wrong.kind} answered ${wrong.status}: ${JSON.stringify(wrong.body)}`);
}

interface Run {
  answers: readonly KindAnswer[];
  /** Cost of one request in seconds of processor time, without the idle cost of the processes. */
  each: Usage;
}

async function run(bench: OutputBench, idle: Usage, scheduled: readonly Scheduled<KindRequest>[]): Promise<Run> {
  const before = await readUsage(bench);
  const start = performance.now();
  const answers = await openLoop(scheduled, sender(bench));
  requireNoClientErrors(answers);
  const spent = usageBetween(before, await readUsage(bench));
  const anyway = scaled(idle, (performance.now() - start) / 1_000);
  return { answers, each: scaled(usageBetween(anyway, spent), 1 / Math.max(1, answers.length)) };
}

const costs = (name: string, { each }: Run): Figure[] => [
  figure(`${name}, processor time of the API`, 1_000 * each.api, 'ms'),
  figure(`${name}, processor time of selection`, 1_000 * each.selection, 'ms'),
  figure(`${name}, processor time of PostgreSQL`, 1_000 * each.postgres, 'ms'),
];

const percent = (part: number, whole: number): number => (whole === 0 ? Number.NaN : (100 * part) / whole);

/** Returns the share of fallbacks among the responses with a mode, and the share of failures among all. */
function shares(name: string, answers: readonly KindAnswer[]): Figure[] {
  const told = answers.filter(({ mode }) => mode !== null);
  const fallbacks = told.filter(({ mode }) => mode === 'fallback');
  const failed = answers.filter(({ status }) => status !== 200);
  return [
    figure(`${name}, fallbacks`, percent(fallbacks.length, told.length), '%', '< 0.1'),
    figure(`${name}, answers other than 200`, percent(failed.length, answers.length), '%', '<= 0'),
  ];
}

const times = (answers: readonly KindAnswer[]): number[] => answers.map(({ ms }) => ms);

/** Measures each kind alone, and searches also at a rate at which they hardly wait for each other. */
export async function measureKinds(bench: OutputBench, idle: Usage): Promise<Figure[]> {
  await warmUp(bench);
  const figures: Figure[] = [];
  for (const kind of bench.kinds) figures.push(...(await measureKind(bench, idle, kind, SINGLE_KIND)));
  for (const kind of bench.kinds.filter(isSearch)) figures.push(...(await measureKind(bench, idle, kind, CALM)));
  return figures;
}

const isSearch = ({ name }: RequestKind): boolean => name.startsWith('search');

async function measureKind(
  bench: OutputBench,
  idle: Usage,
  kind: RequestKind,
  { perSecond, share }: typeof SINGLE_KIND,
): Promise<Figure[]> {
  const name = `${kind.name} at ${perSecond}/s`;
  bench.log(`${name} alone`);
  const seconds = Math.max(2, bench.seconds * share);
  await openLoop(scheduleOf(bench, [kind], arrivals('warm', perSecond / 2, 2), 'warm'), sender(bench));
  const ran = await run(bench, idle, scheduleOf(bench, [kind], arrivals(kind.name, perSecond, seconds), 'alone'));
  return [
    figure(`${name}, p50`, percentile(times(ran.answers), 50), 'ms'),
    figure(`${name}, p95`, percentile(times(ran.answers), 95), 'ms', isSearch(kind) ? '< 30' : null),
    figure(`${name}, p99`, percentile(times(ran.answers), 99), 'ms'),
    ...costs(name, ran),
    figure(`${name}, statements of a request`, ran.each.statements, ''),
    ...shares(name, ran.answers).slice(0, kind.name === 'suggest' ? 0 : 1),
  ];
}

function mixFigures(name: string, ran: Run): Figure[] {
  const ofKind = Map.groupBy(ran.answers, ({ kind }) => kind);
  return [
    figure(`${name}, p50`, percentile(times(ran.answers), 50), 'ms'),
    figure(`${name}, p95`, percentile(times(ran.answers), 95), 'ms'),
    figure(`${name}, p99`, percentile(times(ran.answers), 99), 'ms', '< 50'),
    ...[...ofKind].map(([kind, answers]) => figure(`${name}: ${kind}, p99`, percentile(times(answers), 99), 'ms')),
    ...shares(name, ran.answers),
  ];
}

/** Measures all kinds together, without other load. */
export async function measureAlone(bench: OutputBench, idle: Usage, perSecond: number): Promise<Figure[]> {
  await warmUp(bench);
  const name = `mix of ${perSecond}/s alone`;
  bench.log(name);
  const ran = await run(bench, idle, scheduleOf(bench, bench.kinds, arrivals(name, perSecond, bench.seconds), 'alone'));
  return [
    ...mixFigures(name, ran),
    ...costs(name, ran),
    figure(`${name}, statements of a request`, ran.each.statements, ''),
  ];
}

async function warmUp(bench: OutputBench): Promise<void> {
  const times = arrivals('warm', WARM_UP.perSecond, WARM_UP.seconds);
  await openLoop(scheduleOf(bench, bench.kinds, times, 'warm'), sender(bench));
}

/**
 * Measures all kinds during an intake and a training. The API also accepts the events, so its processor time covers
 * both.
 */
export async function measureUnderBackgroundLoad(
  bench: OutputBench,
  idle: Usage,
  { trains }: { trains: boolean },
): Promise<Figure[]> {
  const training = trains ? await beginTraining(bench) : null;
  const beside = training === null ? 'intake' : 'intake and training';
  bench.log(`the mix beside ${beside}`);
  const name = `mix of ${PER_SECOND}/s beside ${beside}`;
  const scheduled = scheduleOf(bench, bench.kinds, arrivals(name, PER_SECOND, bench.seconds), 'in company');
  const events = intakeRequests(bench);
  const ended = training?.ended();
  // The result is reported below; a failure meanwhile must not end the process as an unhandled rejection.
  ended?.catch(() => {});
  const before = await readSeconds(bench.stack.whole, bench.database);
  const start = performance.now();
  const [ran, taken] = await Promise.all([
    run(bench, idle, scheduled),
    openLoop(events, (body, since) => bench.client.send({ path: '/events', body }, since)),
  ]);
  const elapsed = (performance.now() - start) / 1_000;
  const cores = coresBetween(name, before, await readSeconds(bench.stack.whole, bench.database), elapsed);
  for (const answer of taken) requireAccepted(answer);
  const trained = await ended;
  return [
    ...mixFigures(name, ran),
    figure(
      `POST /events of ${EVENTS_PER_SECOND}/s in total beside the mix, p99`,
      percentile(
        taken.map(({ ms }) => ms),
        99,
      ),
      'ms',
    ),
    figure(`${name}, processor time of selection`, 1_000 * ran.each.selection, 'ms'),
    ...cores,
    ...(trained ? [figure('a training beside the mix', trained.seconds, 's')] : []),
  ];
}
