/** Compiles the patterns of site owners with RE2's syntax: a match takes time linear in the text for any pattern. */
import { GOAL_PATTERN } from '../../domain/schemas/goalMatch.ts';
import { compileWithin, type PatternLimits } from '../../domain/schemas/patternLimits.ts';
import { memoise } from './enrich/lru.ts';

/** Sites are reloaded every few seconds; the cache keeps their patterns from being compiled again. */
const REMEMBERED_PATTERNS = 5_000;

/** Accepts longer patterns that were stored before the limit existed. */
const STORED_PATTERN: PatternLimits = { ...GOAL_PATTERN, characters: 2_048 };

const matchesNothing = (): boolean => false;

/**
 * @returns a function that searches a text for the pattern; an invalid pattern, which the cabinet refuses, matches
 * nothing
 */
export const compilePattern: (pattern: string) => (text: string) => boolean = memoise(
  REMEMBERED_PATTERNS,
  (pattern) => {
    const compiled = compileWithin(pattern, STORED_PATTERN);
    // Avoids `test`: its automaton keeps up to 8 MB of states per pattern, and hostile patterns fill them.
    return compiled === null ? matchesNothing : (text) => compiled.matcher(text).find();
  },
);
