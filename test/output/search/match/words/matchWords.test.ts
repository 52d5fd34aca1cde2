import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SearchIndex } from '../../../../../output/search/index/searchIndex.ts';
import { hasMatch } from '../../../../../output/search/match/words/anyMatch.ts';
import { matchWords, rowsWith } from '../../../../../output/search/match/words/matchWords.ts';
import type { Clause, Option } from '../../../../../output/search/match/words/interpretQuery.ts';
import { documentOf } from '../../support/library.ts';

/**
 * Most words of a text are one of these four, so that the lists have every length. The fillers come first in the
 * index: from the 128th term on, numbers take more than a byte.
 */
const FREQUENT = ['стол', 'стул', 'шкаф', 'лампа'];
const FILLERS = Array.from({ length: 200 }, (_, n) => `w${n}`);
const RARE = ['кровать', 'table', 'w3', 'w130', 'w199'];

interface Library {
  index: SearchIndex;
  /** The words of each row's text; null for a dead row. */
  texts: (readonly string[] | null)[];
}

/** Builds a library of texts, some of which are overwritten; new rows are appended. */
function libraryOf(texts: readonly (readonly string[])[], rewritten: readonly number[]): Library {
  const index = new SearchIndex();
  index.put(0, documentOf({ id: 'all', texts: [FILLERS.join(' ')] }));
  const library: Library = { index, texts: [FILLERS] };
  const put = (slot: number, words: readonly string[]): void => {
    const before = index.rowOf(slot);
    if (before !== undefined) library.texts[before] = null;
    index.put(slot, documentOf({ id: `i-${slot}`, texts: [words.join(' ')] }));
    library.texts.push(words);
  };
  for (const [at, words] of texts.entries()) put(at + 1, words);
  // A document with the same text keeps its row.
  for (const [round, at] of rewritten.entries()) put((at % texts.length) + 1, ['стол', `снова${round}`]);
  return library;
}

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...FREQUENT) },
  { weight: 1, arbitrary: fc.constantFrom(...RARE) },
);
const library = fc
  .record({
    texts: fc.array(fc.array(word, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 120 }),
    rewritten: fc.array(fc.nat(500), { maxLength: 10 }),
  })
  .map(({ texts, rewritten }) => libraryOf(texts, rewritten));

interface Said {
  sets: string[][];
  isPhrase: boolean;
  factor: number;
}

const factor = fc.constantFrom(1, 0.8);
const option = fc.oneof(
  fc.record({ sets: fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), factor }),
  fc.record({ phrase: fc.array(word, { minLength: 1, maxLength: 4 }), factor }),
);
const said = option.map((one): Said =>
  'phrase' in one
    ? { sets: one.phrase.map((each) => [each]), isPhrase: true, factor: one.factor }
    : { sets: one.sets.map((set) => [...new Set(set)]), isPhrase: false, factor: one.factor },
);
const saidClause = fc.record({
  options: fc.array(said, { maxLength: 3 }),
  isRequired: fc.boolean(),
  isStrict: fc.boolean(),
});

function optionOf({ index }: Library, { sets, isPhrase, factor: each }: Said): Option | null {
  const terms = sets.map((set) => set.flatMap((one) => index.vocabulary.termOf(one) ?? []));
  return terms.some((set, at) => set.length < (sets[at]?.length ?? 0)) ? null : { sets: terms, isPhrase, factor: each };
}

/** Returns 0 for a row without the term. */
function scoreOf({ index, texts }: Library, row: number, { sets, isPhrase, factor: counts }: Option): number {
  const bySet = sets.map((set) =>
    Math.max(
      ...set.map((term) => {
        const { rows, weights } = index.postingsOf(term);
        const at = rows.indexOf(row);
        return at < 0 ? 0 : ((weights[at] ?? 0) / 255) * index.idf(set) * counts;
      }),
    ),
  );
  if (bySet.includes(0)) return 0;
  const terms = texts[row]?.map((one) => index.vocabulary.termOf(one)) ?? [];
  const isThere = terms.some((_, from) => sets.every(([term], at) => terms[from + at] === term));
  return isPhrase && sets.length > 1 && !isThere ? 0 : bySet.reduce((sum, score) => sum + score, 0);
}

/** Evaluates every clause for every row. */
function plainMatches(
  all: Library,
  clauses: readonly Clause[],
  isAllowed: (row: number) => boolean,
): Map<number, number> {
  const scored = all.texts.flatMap((text, row) => {
    if (text === null || !isAllowed(row)) return [];
    const scores = clauses.map(({ options }) => Math.max(0, ...options.map((one) => scoreOf(all, row, one))));
    const fulfilled = scores.filter((score, at) => score > 0 && clauses[at]?.isRequired).length;
    return [{ row, fulfilled, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  const required = clauses.filter(({ isRequired }) => isRequired).length;
  const having = (needed: number): Map<number, number> =>
    new Map(scored.flatMap(({ row, fulfilled, score }) => (fulfilled >= needed ? [[row, score]] : [])));
  const found = having(required);
  const isLoose = found.size === 0 && required >= 3 && !clauses.some(({ isStrict }) => isStrict);
  return isLoose ? having(Math.ceil(required * 0.6)) : found;
}

describe('words', () => {
  it('are found in the rows, and with the scores, that a check of every row gives', () => {
    const kept = fc.constantFrom(1, 2, 7);
    const asked = fc.array(saidClause, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(library, asked, kept, (all, saidClauses, each) => {
        const clauses = saidClauses.map(({ options, isRequired, isStrict }, at) => ({
          options: options.flatMap((one) => optionOf(all, one) ?? []),
          isRequired: isRequired || at === 0,
          isStrict,
        }));
        const isAllowed = (row: number): boolean => all.index.slotOf(row) >= 0 && row % each === 0;
        const expected = plainMatches(all, clauses, isAllowed);
        // Twice, because one query must not leave state for the next.
        for (let round = 0; round < 2; round += 1) {
          const found = matchWords(all.index, { clauses }, isAllowed);
          const rows = [...(found?.rows ?? [])];
          expect(rows.toSorted()).toEqual([...expected.keys()].toSorted());
          for (const [at, row] of rows.entries()) expect(found?.scores[at]).toBeCloseTo(expected.get(row) ?? NaN, 4);
        }
        expect(hasMatch(all.index, { clauses }, isAllowed)).toBe(expected.size > 0);
      }),
      { numRuns: 500 },
    );
  });

  it('exclude exactly the rows that have them', () => {
    fc.assert(
      fc.property(library, fc.array(said, { maxLength: 3 }), (all, unwanted) => {
        const options = unwanted.flatMap((one) => optionOf(all, one) ?? []);
        const having = rowsWith(all.index, options);
        const rows = all.texts.flatMap((text, row) => (text === null ? [] : [row]));
        expect(rows.filter((row) => having[row] === 1)).toEqual(
          rows.filter((row) => options.some((one) => scoreOf(all, row, one) > 0)),
        );
      }),
    );
  });
});

describe('a search that ends with an error', () => {
  it('leaves nothing behind for the next one', () => {
    const { index } = libraryOf([['стол'], ['стол', 'стул']], []);
    const clause: Clause = {
      options: [{ sets: [[index.vocabulary.termOf('стол') ?? -1]], isPhrase: false, factor: 1 }],
      isRequired: true,
      isStrict: false,
    };
    const find = (isAllowed: () => boolean) => matchWords(index, { clauses: [clause] }, isAllowed);
    const before = find(() => true);
    expect(() =>
      find(() => {
        throw new Error('the rules have a fault');
      }),
    ).toThrow('the rules have a fault');
    expect(find(() => true)).toEqual(before);
    expect(before?.rows).toHaveLength(2);
  });
});
