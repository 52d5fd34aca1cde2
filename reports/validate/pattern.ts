/** Regular expressions of filters: what DuckDB's RE2 will take, judged before it is asked. */
import type { RE2JS } from 're2js';
import { compileWithin, type PatternLimits } from '../../schemas/pattern.ts';

/** Characters of all patterns of one request: compiling them takes a tenth of a second for a thousand or two, in which nobody else is answered. */
const MAX_PATTERNS = 4_000;
/**
 * A list of a hundred addresses has more characters, and `in` is for that. RE2 itself gives up on large programs
 * (`\pL{1000}`); the engine reports those that it refuses below this.
 */
const LIMITS: PatternLimits = { characters: 1_000, instructions: 2_000 };

/** Whether a text is a pattern that may be asked for. */
export type JudgePattern = (text: string) => boolean;

/** Judges the patterns of one request, each once; what goes beyond what a request may have is refused unread. */
export function createPatternJudge(): JudgePattern {
  const judged = new Map<string, boolean>();
  let left = MAX_PATTERNS;
  return (text) => {
    const known = judged.get(text);
    if (known !== undefined) return known;
    left -= text.length;
    const isGood = left >= 0 && isPattern(text);
    judged.set(text, isGood);
    return isGood;
  };
}

/** Whether a text is a pattern that the engine takes too. */
function isPattern(text: string): boolean {
  const compiled = compileWithin(text, LIMITS);
  return compiled !== null && !hasShortName(text, compiled);
}

/** `(?<name>…)` is of newer versions of the syntax than DuckDB's; `(?P<name>…)` is of all. */
function hasShortName(text: string, compiled: RE2JS): boolean {
  return Object.keys(compiled.namedGroups()).some((name) => text.includes(`(?<${name}>`));
}
