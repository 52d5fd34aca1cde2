/** Patterns of site owners, in RE2's syntax: whatever they are, a match takes time linear in the text. */
import { RE2JS } from 're2js';

const matchesNothing = (): boolean => false;

/** @returns whether the pattern is found in a text; a pattern that is none is found nowhere, for the cabinet refuses it */
export function compilePattern(pattern: string): (text: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.matcher(text).find();
  } catch {
    return matchesNothing;
  }
}
