import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SearchIndex } from '../../../../output/search/index/searchIndex.ts';
import { phraseOf } from '../../../../output/search/index/sequences.ts';
import { piecesOf, wordsOf } from '../../../../output/search/text/indexedWords.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';
import { documentOf } from '../support/library.ts';

const WORDS = ['стол', 'стул', 'шкаф', 'полка', 'лампа', 'кровать', 'table', 'chair'];

/** Returns the slots whose document contains a word. */
function slotsWith(index: SearchIndex, word: string): number[] {
  const term = index.vocabulary.termOf(word);
  if (term === undefined) return [];
  return [...index.postingsOf(term).rows].map((row) => index.slotOf(row)).filter((slot) => slot >= 0);
}

function slotsWithPhrase(index: SearchIndex, words: readonly string[], slots: number): number[] {
  const terms = words.flatMap((word) => index.vocabulary.termOf(word) ?? []);
  if (terms.length < words.length) return [];
  const phrase = phraseOf(terms);
  return Array.from({ length: slots }, (_, slot) => slot).filter((slot) => {
    const row = index.rowOf(slot);
    return row !== undefined && index.hasPhrase(row, phrase);
  });
}

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 });

describe('an index', () => {
  it('finds in every slot what its last document contains, whatever was there before', () => {
    const write = fc.record({ slot: fc.nat(30), words: text, isEligible: fc.boolean() });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 200 }), (writes) => {
        const index = new SearchIndex();
        const said = new Map<number, string[]>();
        for (const { slot, words, isEligible } of writes) {
          index.put(slot, documentOf({ id: `i-${slot}`, texts: [words.join(' ')], isEligible }));
          said.set(slot, isEligible ? words : []);
        }
        for (const word of WORDS) {
          const expected = [...said].filter(([, words]) => words.includes(word)).map(([slot]) => slot);
          expect(slotsWith(index, word).toSorted()).toEqual(expected.toSorted());
        }
        const phrase = ['стол', 'стул'];
        const having = [...said].filter(([, words]) => words.join(' ').includes('стол стул')).map(([slot]) => slot);
        expect(slotsWithPhrase(index, phrase, 31).toSorted()).toEqual(having.toSorted());
      }),
    );
  });

  it('clears dead rows, and finds the same afterwards', () => {
    const index = new SearchIndex();
    const saying = (slot: number, round: number) => `${WORDS[(slot + round) % WORDS.length]} стул номер${slot}`;
    for (let round = 0; round < 5; round += 1)
      for (let slot = 0; slot < 1_000; slot += 1)
        index.put(slot, documentOf({ id: `i-${slot}`, title: saying(slot, round) }));
    expect(index.documents).toBe(1_000);
    expect(index.rows).toBeLessThan(2_500);
    for (const slot of [0, 499, 999]) {
      expect(slotsWith(index, `номер${slot}`)).toEqual([slot]);
      expect(slotsWithPhrase(index, wordsOf(saying(slot, 4)), 1_000)).toEqual([slot]);
    }
    expect(slotsWith(index, 'стул').length).toBe(1_000);
  });

  // proves: search/phrases
  it('does not find a phrase across two fields', () => {
    const index = new SearchIndex();
    index.put(0, documentOf({ id: 'i', title: 'Белый стол', tags: ['стул', 'для кухни'], texts: ['и лампа'] }));
    expect(slotsWithPhrase(index, ['белый', 'стол'], 1)).toEqual([0]);
    expect(slotsWithPhrase(index, ['стол', 'стул'], 1)).toEqual([]);
    expect(slotsWithPhrase(index, ['стул', 'для'], 1)).toEqual([]);
  });

  it('has every word of the longest body, and also speech and pictures', () => {
    const index = new SearchIndex();
    const long = Array.from({ length: 150_000 }, (_, n) => WORDS[n % WORDS.length]).join(' ');
    const document = documentOf({
      id: 'i',
      texts: [`${long} последнее`],
      speech: [`${long} слово`],
      pictures: ['вывеска'],
    });
    expect(document.texts[0]?.length).toBeGreaterThan(800_000);
    // `read` works in pieces, between which questions can be answered; `put` takes the whole document.
    const pieces = [...index.read(document)];
    expect(pieces.length).toBeGreaterThan(30);
    index.put(0, document);
    for (const word of ['последнее', 'слово', 'вывеска']) expect(slotsWith(index, word)).toEqual([0]);
    expect(slotsWithPhrase(index, ['chair', 'стол'], 1)).toEqual([0]);
  });

  it.each([
    ['one text', ' ', 1],
    ['many texts', '\n', 60_000],
  ])('reads %s in small pieces, between which questions are answered', (_name, separator, count) => {
    const index = new SearchIndex();
    const words = Array.from({ length: 60_000 }, (_, n) => `сл${n}`).join(separator);
    const texts = words.split('\n');
    expect(texts).toHaveLength(count);
    const sizes: number[] = [];
    let terms = index.vocabulary.termCount;
    for (const reading = index.read(documentOf({ id: 'i', texts })); !reading.next().done;) {
      sizes.push(index.vocabulary.termCount - terms);
      terms = index.vocabulary.termCount;
    }
    expect(terms).toBeGreaterThan(59_000);
    expect(Math.max(...sizes)).toBeLessThan(2_000);
  });

  it('takes words that sound alike as fast as others, and finds two hundred of them by their sound', async () => {
    // The binary digits of the number, as signs without a sound of their own.
    const spellingOf = (n: number): string =>
      Array.from({ length: 14 }, (_, bit) => `т${'ьъ'[(n >> bit) & 1]}`).join('');
    const words = Array.from({ length: 16_000 }, (_, n) => `к${spellingOf(n)}к`);
    const index = new SearchIndex();
    const ms = await cpuMsOf(() => index.put(0, documentOf({ id: 'alike', texts: [words.join(' ')] })));
    expect(index.vocabulary.termsThatSoundLike('ктк')).toHaveLength(200);
    expect(ms).toBeLessThan(1_000);
  });

  it('cuts long texts between words', () => {
    const texts = fc.array(fc.constantFrom('стол', ' ', 'ёлка', '🙂', '-', 'x'.repeat(900)), { maxLength: 40 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1_001, max: 3_000 }), (parts, length) => {
        const whole = parts.join('');
        const pieces = piecesOf(whole, length);
        expect(pieces.join('')).toBe(whole);
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(length);
      }),
    );
    const words = 'старый трамвай '.repeat(1_000);
    expect(piecesOf(words, 1_234).flatMap(wordsOf)).toEqual(wordsOf(words));
    const softened = `яя ${'пере\u00adкрёс\u00adток '.repeat(500)}`;
    for (let length = 1_000; length < 1_020; length += 1)
      expect(new Set(piecesOf(softened, length).flatMap(wordsOf))).toEqual(new Set(['яя', 'перекресток']));
    expect(piecesOf('я'.repeat(2_500), 1_000)).toHaveLength(3);
  });

  it('does not touch an unchanged document', () => {
    const index = new SearchIndex();
    const document = documentOf({ id: 'i', title: 'Стол' });
    index.put(0, document);
    const { version } = index;
    index.put(0, { ...document, micros: 2 });
    expect(index.version).toBe(version);
    index.put(0, { ...document, title: 'Стул' });
    expect(index.version).toBeGreaterThan(version);
    // The same letters elsewhere are another document.
    for (const moved of [
      { title: null, author: 'Стул' },
      { title: null, tags: ['Сту', 'л'] },
      { tags: ['Ст', 'ул'] },
    ]) {
      const before = index.version;
      index.put(0, documentOf({ id: 'i', ...moved }));
      expect(index.version).toBeGreaterThan(before);
    }
  });
});
