/**
 * Regular expressions that people write, in RE2 syntax: their length is checked before they are compiled, and they are
 * compiled once.
 */
import { RE2JS } from 're2js';
import { hasAtMost } from '../codePoints.ts';

export interface PatternLimits {
  /** Maximum number of characters (code points) of the pattern. */
  characters: number;
  /** Maximum number of instructions of its program; the cost of a search grows with them. */
  instructions: number;
}

/**
 * Compiles a pattern.
 * @returns the compiled pattern; null when it is not valid for RE2 (which has neither look-around nor back
 *   references) or exceeds the limits
 */
export function compileWithin(text: string, { characters, instructions }: PatternLimits): RE2JS | null {
  if (!hasAtMost(text, characters) || repetitions(text) > instructions * ESTIMATE_SLACK) return null;
  const compiled = compile(text);
  return compiled !== null && compiled.programSize() <= instructions ? compiled : null;
}

/**
 * The estimate counts alternatives that the compiler folds together (`a|b` is one instruction), so it only rejects
 * patterns that are far above the limit.
 */
const ESTIMATE_SLACK = 4;

/** `\p{…}`, `\x{…}`, `\d` and classes are one token each; a counted repetition captures its bounds. */
const TOKEN = /\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[^]/gs;

interface Group {
  /** Number of instructions so far, and how many of them belong to the last token or group. */
  sum: number;
  last: number;
}

/**
 * Estimates how many instructions the pattern's counted repetitions make. The compiler expands each of them before the
 * program can be measured: 227 times `(x{1000})` takes it half a second.
 */
function repetitions(text: string): number {
  const outer: Group = { sum: 0, last: 0 };
  const groups = [outer];
  let repeated = 0;
  for (const [token, least, most] of text.matchAll(TOKEN)) {
    const group = groups.at(-1) ?? outer;
    if (token === '(') groups.push({ sum: 0, last: 0 });
    else if (token === ')') close(groups);
    else if (least === undefined) add(group, 1);
    else repeated += repeat(group, Math.max(Number(least), Number(most ?? 0)));
  }
  return repeated;
}

function close(groups: Group[]): void {
  const closed = groups.length > 1 ? groups.pop() : undefined;
  const outer = groups.at(-1);
  if (closed && outer) add(outer, closed.sum + 1);
}

function add(group: Group, weight: number): void {
  group.sum += weight;
  group.last = weight;
}

function repeat(group: Group, times: number): number {
  const added = group.last * times;
  group.sum += added;
  group.last += added;
  return added;
}

function compile(text: string): RE2JS | null {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    if (error instanceof Error && error.name.startsWith('RE2JS')) return null;
    throw error;
  }
}
