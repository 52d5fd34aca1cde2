/** Divides texts where their parts begin. */

/** Returns the first of the ascending starts, and those that are at least `minLength` after the one returned before. */
export function startsApart(starts: readonly number[], minLength: number): number[] {
  const kept: number[] = [];
  for (const start of starts) {
    const last = kept.at(-1);
    if (last === undefined || start - last >= minLength) kept.push(start);
  }
  return kept;
}

/** Returns the parts of a text that begin at the given ascending starts. */
export function cutAt(text: string, starts: readonly number[]): { start: number; text: string }[] {
  return starts.map((start, index) => ({ start, text: text.slice(start, starts[index + 1]) }));
}
