/** Regular expressions of filters: what DuckDB's RE2 will take, judged before it is asked. */
import { RE2JS } from 're2js';

/** Characters; a list of a hundred addresses is longer, and `in` is for that. */
export const MAX_PATTERN = 1_000;
/** Instructions of the compiled pattern. RE2 itself gives up on large ones (`\pL{1000}`); the engine tells of those that it refuses below this. */
const MAX_PROGRAM = 2_000;

/** Whether a text is a pattern in RE2's syntax: linear in time, hence without look-around and back references. */
export function isPattern(text: string): boolean {
  if (text.length > MAX_PATTERN) return false;
  const compiled = compile(text);
  return compiled !== null && compiled.programSize() <= MAX_PROGRAM && !hasShortName(text, compiled);
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
