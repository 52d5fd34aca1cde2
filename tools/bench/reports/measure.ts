/** Runs one question on every engine: first compares the results, then measures the time. */
import { difference, type Figures } from './answers.ts';
import { NotEnoughMemoryError, type Engine, type EngineName } from './engines.ts';
import type { Case } from './suite/index.ts';

const ROUNDS = 3;
/** An engine that has taken this long in total is not run again: its best time so far counts. */
const TIME_BUDGET_MS = 30_000;

export type Times = Partial<Record<EngineName, number>>;

/**
 * The first run of each engine is its warm-up; then each is run three times, with the engines in rotating order, and
 * the best time counts. An engine without enough memory for the question is left out.
 * @returns milliseconds
 * @throws when two engines return different results
 */
export async function measure(question: Case, siteId: string, engines: readonly Engine[]): Promise<Times> {
  const spent = new Map<Engine, number>();
  const able = await compareAnswers(question, siteId, engines, spent);
  const times: Times = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const engine of rotated(able, round)) {
      if ((spent.get(engine) ?? 0) > TIME_BUDGET_MS && times[engine.name] !== undefined) continue;
      const { ms } = await engine.ask(question, siteId);
      spent.set(engine, (spent.get(engine) ?? 0) + ms);
      times[engine.name] = Math.min(ms, times[engine.name] ?? Infinity);
    }
  }
  return times;
}

async function compareAnswers(
  question: Case,
  siteId: string,
  engines: readonly Engine[],
  spent: Map<Engine, number>,
): Promise<Engine[]> {
  let first: { engine: Engine; figures: Figures } | null = null;
  const able: Engine[] = [];
  for (const engine of engines) {
    const answered = await engine.ask(question, siteId).catch((error: Error) => {
      if (error instanceof NotEnoughMemoryError) return null;
      throw new Error(`${question.name}, ${engine.name}: ${error.message}`, { cause: error });
    });
    if (answered === null) continue;
    const { ms, figures } = answered;
    able.push(engine);
    spent.set(engine, ms);
    first ??= { engine, figures };
    const words = difference(first.figures, figures);
    if (words !== null) throw new Error(`${question.name}: ${first.engine.name} and ${engine.name} differ: ${words}`);
  }
  return able;
}

const rotated = <T>(list: readonly T[], by: number): T[] => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
];
