import { describe, expect, it } from '@jest/globals';
import { pageRank } from '../../../../providers/builtin/summary/pagerank.ts';
import { MAX_SENTENCES, rankSentences } from '../../../../providers/builtin/summary/textrank.ts';

const set = (words: string): Set<string> => new Set(words.split(' '));

describe('pageRank', () => {
  it('solves the star in closed form: the centre ends at (1−d)(1+4d) ÷ (1−d²) = 2.378…, the leaves at 0.655…', () => {
    const leaf = { to: [0], weight: [1] };
    const scores = pageRank([{ to: [1, 2, 3, 4], weight: [1, 1, 1, 1] }, leaf, leaf, leaf, leaf]);
    const d = 0.85;
    const centre = ((1 - d) * (1 + 4 * d)) / (1 - d * d);
    expect(scores[0]).toBeCloseTo(centre, 2);
    for (const score of scores.slice(1)) expect(score).toBeCloseTo(1 - d + (d * centre) / 4, 2);
  });

  it('gives a node without links the least score', () => {
    expect(pageRank([{ to: [], weight: [] }])[0]).toBeCloseTo(0.15, 10);
  });
});

describe('rankSentences', () => {
  it('puts the sentence that shares words with all others first', () => {
    const scores = rankSentences([set('кот пёс мышь'), set('кот дом лес'), set('пёс река поле'), set('мышь сыр нора')]);
    expect(scores.indexOf(Math.max(...scores.map((score) => score ?? 0)))).toBe(0);
  });

  it('divides by the logarithms of the lengths: with the same shared words the shorter sentence scores higher', () => {
    const scores = rankSentences([set('a b c'), set('a b d'), set('a b e f g h i j')]);
    expect(scores[1] ?? 0).toBeGreaterThan(scores[2] ?? 0);
  });

  it('takes one sentence from each stretch of a long text', () => {
    const sentences = Array.from({ length: MAX_SENTENCES * 4 }, (_, index) => set(`общее слово тема номер${index}`));
    const chosen = rankSentences(sentences).flatMap((score, index) => (score === null ? [] : [index]));
    expect(chosen).toHaveLength(MAX_SENTENCES);
    expect(chosen.map((index) => Math.floor(index / 4))).toEqual(
      Array.from({ length: MAX_SENTENCES }, (_, stretch) => stretch),
    );
  });
});
