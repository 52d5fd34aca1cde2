/** Regular expressions of filters: what DuckDB's RE2 will take, judged before it is asked. */
import { RE2JS } from 're2js';

/** Characters; a list of a hundred addresses is longer, and `in` is for that. */
const MAX_PATTERN = 1_000;
/** Characters of all patterns of one request: compiling them takes a tenth of a second for a thousand or two, in which nobody else is answered. */
const MAX_PATTERNS = 4_000;
/** Instructions of the compiled pattern. RE2 itself gives up on large ones (`\pL{1000}`); the engine tells of those that it refuses below this. */
const MAX_PROGRAM = 2_000;

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

/** Whether a text is a pattern in RE2's syntax: linear in time, hence without look-around and back references. */
function isPattern(text: string): boolean {
  if (text.length > MAX_PATTERN || repeats(text) > MAX_PROGRAM) return false;
  const compiled = compile(text);
  return compiled !== null && compiled.programSize() <= MAX_PROGRAM && !hasShortName(text, compiled);
}

/** How often it repeats something by count: each time is an instruction at least, and all of them would be made before the program can be measured. */
function repeats(text: string): number {
  return [...text.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)].reduce(
    (sum, [, least, most]) => sum + Number(most === undefined || most === '' ? least : most),
    0,
  );
}

function compile(text: string): RE2JS | null {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    if (error instanceof Error && error.name.startsWith('RE2JS')) return null;
    throw error;
  }
}

/** `(?<name>…)` is of newer versions of the syntax than DuckDB's; `(?P<name>…)` is of all. */
function hasShortName(text: string, compiled: RE2JS): boolean {
  return Object.keys(compiled.namedGroups()).some((name) => text.includes(`(?<${name}>`));
}
