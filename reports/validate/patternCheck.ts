/** Checks regular expressions of filters for DuckDB's RE2 before it gets them. */
import type { RE2JS } from 're2js';
import { characterCount } from '../../domain/codePoints.ts';
import { compileWithin, type PatternLimits } from '../../domain/schemas/patternLimits.ts';

/**
 * Maximum number of characters of all patterns of one request: compiling one or two thousand takes a tenth of a second,
 * which blocks all other requests.
 */
const MAX_PATTERNS = 4_000;
/**
 * A pattern that lists a hundred addresses would exceed these limits, but such lists belong in `in`. RE2 itself refuses
 * large programs (`\pL{1000}`); the engine reports those that it refuses below this.
 */
const LIMITS: PatternLimits = { characters: 1_000, instructions: 2_000 };

/** Returns whether a text is an allowed pattern. */
export type CheckPattern = (text: string) => boolean;

/**
 * Creates a check of the patterns of one request. It checks each pattern once, and refuses those beyond the request's
 * limits unread.
 */
export function createPatternCheck(): CheckPattern {
  const checked = new Map<string, boolean>();
  let left = MAX_PATTERNS;
  return (text) => {
    const known = checked.get(text);
    if (known !== undefined) return known;
    left -= characterCount(text);
    const isGood = left >= 0 && isPattern(text);
    checked.set(text, isGood);
    return isGood;
  };
}

/** Returns whether the engine accepts a text as a pattern. */
function isPattern(text: string): boolean {
  const compiled = compileWithin(text, LIMITS);
  return compiled !== null && !hasShortName(text, compiled);
}

/** DuckDB's version does not know the newer syntax `(?<name>…)`; all versions know `(?P<name>…)`. */
function hasShortName(text: string, compiled: RE2JS): boolean {
  return Object.keys(compiled.namedGroups()).some((name) => text.includes(`(?<${name}>`));
}
