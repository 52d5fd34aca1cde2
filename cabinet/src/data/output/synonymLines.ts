/** Synonyms as lines of text: `tram, streetcar` are equivalent, `shoes > boots, sneakers` finds boots by shoes. */
import type { cabinet } from '../client.ts';

export type SynonymRow = cabinet.SynonymRow;

const ARROW = '>';

export function linesOf(rows: readonly SynonymRow[]): string {
  return rows.map(({ words, to }) => [words.join(', '), ...(to ? [to.join(', ')] : [])].join(` ${ARROW} `)).join('\n');
}

/** Returns rows with the number of their line; empty lines are skipped. */
export function rowsOf(text: string): { line: number; row: SynonymRow }[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const [words = '', ...to] = line.split(ARROW);
    const row = { words: wordsOf(words), ...(to.length > 0 && { to: wordsOf(to.join(ARROW)) }) };
    return [{ line: at + 1, row }];
  });
}

function wordsOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
