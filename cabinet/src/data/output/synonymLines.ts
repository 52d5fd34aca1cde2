/** Synonyms as lines of text: `tram, streetcar` are equivalent, `shoes > boots, sneakers` finds boots by shoes. */
import type { cabinet } from '../client.ts';

export type SynonymRow = cabinet.SynonymRow;

const ARROW = '>';

export function linesOf(rows: readonly SynonymRow[]): string {
  return rows.map(lineOf).join('\n');
}

function lineOf({ words, to }: SynonymRow): string {
  const sides = to ? [words, to] : [words];
  // A word that was sent to the API may contain a line break.
  return sides.map((side) => side.join(', ').replaceAll(/\s+/g, ' ')).join(` ${ARROW} `);
}

/**
 * Returns rows with the number of their line; empty lines are skipped. A line that reads like a stored row is that row
 * and is not parsed, because a word that was sent to the API may contain what separates words here. If several stored
 * rows read the same, equal lines stand for them in their order.
 */
export function rowsOf(text: string, stored: readonly SynonymRow[] = []): { line: number; row: SynonymRow }[] {
  const known = new Map<string, SynonymRow[]>();
  for (const row of stored) {
    const line = lineOf(row);
    known.set(line, [...(known.get(line) ?? []), row]);
  }
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const [row = rowOf(line), ...others] = known.get(line) ?? [];
    if (others.length > 0) known.set(line, others);
    return [{ line: at + 1, row }];
  });
}

function rowOf(line: string): SynonymRow {
  const [words = '', ...to] = line.split(ARROW);
  return { words: wordsOf(words), ...(to.length > 0 && { to: wordsOf(to.join(ARROW)) }) };
}

function wordsOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
