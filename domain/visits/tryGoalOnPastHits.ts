/**
 * Tries a goal before it is saved: counts how many past texts (addresses, names of events, or ids of forms) reach it,
 * by their frequencies.
 */
import type { Goal } from '../sites/goalDefinition.ts';
import { prepareGoals, type CompilePattern } from './goalConversions.ts';

/** Number of past days on whose hits a goal is tried. */
export const GOAL_TRY_DAYS = 7;

export interface CountedText {
  text: string;
  hits: number;
}

export interface Tried {
  /** Number of hits that were checked. */
  hits: number;
  /** Number of these that reach the goal. */
  matched: number;
  /** Texts that reach it, in the order in which they were given. */
  examples: CountedText[];
  /** True when every text was checked. */
  isComplete: boolean;
}

export interface TryOptions {
  compile: CompilePattern;
  mostExamples: number;
  /** Called before each text; false stops. */
  shouldContinue: () => Promise<boolean>;
}

/** Checks texts with the same rule by which hits reach goals. */
export async function countGoalMatches(
  { type, match }: Pick<Goal, 'type' | 'match'>,
  texts: readonly CountedText[],
  { compile, mostExamples, shouldContinue }: TryOptions,
): Promise<Tried> {
  const goal = { code: 'tried', title: '', type, match, value: null, enabled: true };
  const [prepared] = [...prepareGoals([goal], compile).values()].flat();
  const tried: Tried = { hits: 0, matched: 0, examples: [], isComplete: true };
  for (const { text, hits } of texts) {
    if (!(await shouldContinue())) return { ...tried, isComplete: false };
    tried.hits += hits;
    if (prepared?.reaches({ url: text, name: text }) !== true) continue;
    tried.matched += hits;
    if (tried.examples.length < mostExamples) tried.examples.push({ text, hits });
  }
  return tried;
}
