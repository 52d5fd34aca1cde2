/** Patterns of site owners, in RE2's syntax: whatever they are, a match takes time linear in the text. */
import { GOAL_PATTERN } from '../schemas/goalMatch.ts';
import { compileWithin, type PatternLimits } from '../schemas/pattern.ts';
import { remembered } from './enrich/lru.ts';

/** Sites are read again every few seconds; their patterns are compiled once. */
const REMEMBERED_PATTERNS = 5_000;

/** Those that were stored before they had a limit of length are taken as they are. */
const STORED_PATTERN: PatternLimits = { ...GOAL_PATTERN, characters: 2_048 };

const matchesNothing = (): boolean => false;

/**
 * @returns whether the pattern is found in a text; a pattern that is none is found nowhere, for the cabinet refuses it
 */
export const compilePattern: (pattern: string) => (text: string) => boolean = remembered(
  REMEMBERED_PATTERNS,
  (pattern) => {
    const compiled = compileWithin(pattern, STORED_PATTERN);
    // Not `test`: its automaton keeps up to 8 MB of states for each pattern, and hostile ones fill them.
    return compiled === null ? matchesNothing : (text) => compiled.matcher(text).find();
  },
);
