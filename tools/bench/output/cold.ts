/** Measures a cold start of the selection process: what it reads, and how long it answers with fallbacks. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../support/report.ts';
import { figure, kindsNamed, type OutputBench } from './bench.ts';
import { requestsOf, type RequestKind } from './kinds.ts';
import { readMemory } from './processUsage.ts';

const POLL_MS = 50;
const LIMIT_MS = 30 * 60_000;

/** Why the wait for a ranked response ended. */
type Outcome = { ms: number } | { refusedAt: number; ms: number };

/** Data that has to be loaded before a kind of request is ranked. */
const LOADED = [
  ['similar', 'the catalogue'],
  ['search, lexical', 'the catalogue and the documents of search'],
  ['search, hybrid', 'the same and the sentence encoder'],
  ['feed', 'everything of the feed'],
] as const;

export async function measureCold(bench: OutputBench): Promise<Figure[]> {
  bench.log('a cold selection process');
  const before = (await refusals(bench)).length;
  const start = await restart(bench);
  const figures: Figure[] = [];
  const first = await firstAnswer(bench, start);
  if (first !== null) figures.push(figure('cold selection: first answer of the API, a fallback', first, 'ms'));
  for (const [name, what] of LOADED) {
    const [kind] = kindsNamed(bench, name);
    if (!kind) continue;
    const outcome = await untilRanked(bench, kind, start, before);
    figures.push(...outcomeFigures(what, outcome));
    if ('refusedAt' in outcome) break;
  }
  const { resident } = await readMemory(bench, 'selection');
  return [...figures, figure('selection, resident memory after the load', resident, 'MB')];
}

function outcomeFigures(what: string, outcome: Outcome): Figure[] {
  if (!('refusedAt' in outcome))
    return [figure(`cold selection: ${what} loaded, first ranked answer`, outcome.ms / 1_000, 's')];
  return [
    figure(`${what} is refused (too_large) at so many items`, outcome.refusedAt, 'items'),
    figure(`${what}: refused after`, outcome.ms / 1_000, 's'),
  ];
}

/** Waits until everything is loaded or refused. */
export async function untilWarm(bench: OutputBench): Promise<void> {
  const start = performance.now();
  for (const kind of kindsNamed(bench, ...LOADED.map(([name]) => name)))
    if ('refusedAt' in (await untilRanked(bench, kind, start, 0))) return;
}

/** @returns the start time of the new process, by `performance.now()` */
async function restart({ stack }: OutputBench): Promise<number> {
  const { selection: old = Number.NaN } = await stack.whole.pids();
  process.kill(old, 'SIGTERM');
  for (;;) {
    const { selection: now } = await stack.whole.pids();
    if (now !== undefined && now !== old) return performance.now();
    await delay(POLL_MS / 5);
  }
}

/** Measures the first response; an immediate fallback is the best possible one. */
async function firstAnswer(bench: OutputBench, start: number): Promise<number | null> {
  const [kind] = kindsNamed(bench, 'similar');
  const request = kind && requestsOf(kind, bench.world, 1, 'cold')[0];
  if (!request) return null;
  await bench.client.send(request);
  return performance.now() - start;
}

async function untilRanked(bench: OutputBench, kind: RequestKind, start: number, before: number): Promise<Outcome> {
  const requests = requestsOf(kind, bench.world, 20, 'cold').values();
  let request = requests.next().value;
  while (request && performance.now() - start < LIMIT_MS) {
    const { mode, status, body } = await bench.client.send(request);
    const ms = performance.now() - start;
    // All caches are cold, so even the list of a fallback may be late.
    if (status === 503) bench.log(`${kind.name} answered 503 after ${Math.round(ms)} ms`);
    else if (status !== 200) throw new Error(`${kind.name} answered ${status}: ${JSON.stringify(body)}`);
    const isAnswer = status === 200 && mode !== 'fallback';
    if (isAnswer && (mode === 'hybrid' || kind.name !== 'search, hybrid')) return { ms };
    const refused = (await refusals(bench))[before];
    if (refused !== undefined) return { refusedAt: refused, ms };
    // A search for a single quoted word may use no vectors, so another query is tried.
    if (mode === 'lexical') request = requests.next().value;
    await delay(POLL_MS);
  }
  throw new Error(`${kind.name} is still a fallback after ${LIMIT_MS / 60_000} minutes`);
}

/** Returns how many items or documents were held when the process refused to hold more. */
async function refusals({ stack }: OutputBench): Promise<number[]> {
  const log = await readFile(join(stack.dataDir, 'logs/selection.log'), 'utf8');
  return log
    .split('\n')
    .filter((line) => line.includes('SELECTION_CATALOGUE_MB'))
    .map((line) => JSON.parse(line) as { items?: number; documents?: number })
    .map(({ items, documents }) => items ?? documents ?? Number.NaN);
}
