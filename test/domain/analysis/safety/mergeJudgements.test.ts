import { describe, expect, it } from '@jest/globals';
import type { Moderation, ModerationLevel } from '../../../../domain/analysis/results.ts';
import { mergeJudgements } from '../../../../domain/analysis/safety/mergeJudgements.ts';

type Level = ModerationLevel | null;
const judgedIn = (level: Level, categories: Moderation['categories']): Moderation => ({
  level,
  categories,
  evidence: [],
});
const judged = (level: Level, violence: unknown = level): Moderation => judgedIn(level, { violence });
const UNJUDGED: Moderation = { level: null, categories: null, evidence: null };

describe('the judgements of a text as it was sent and as it is read', () => {
  it.each<[Level, Level, Level]>([
    ['none', 'none', 'none'],
    ['none', 'low', 'low'],
    ['low', 'none', 'low'],
    ['low', 'high', 'high'],
    ['high', 'medium', 'high'],
    ['none', null, null],
    [null, 'none', null],
    [null, null, null],
    ['low', null, 'low'],
    [null, 'low', 'low'],
  ])('merge from %s and %s into %s, as a level and as a category', (sent, plain, both) => {
    expect(mergeJudgements(judged(sent), judged(plain))).toEqual(judged(both));
  });

  it.each<[string, Moderation['categories'], Moderation['categories'], unknown]>([
    [
      'the more severe one',
      { violence: { level: 'low', score: 0.3 } },
      { violence: { level: 'high' } },
      { level: 'high' },
    ],
    [
      'that of the text as it was sent if both are equally severe',
      { violence: { level: 'low' } },
      { violence: 'low' },
      { level: 'low' },
    ],
    ['null if the plain text has one without a level', { violence: 'none' }, { violence: { level: null } }, null],
    ['null if the plain text lacks it', { violence: { level: 'none' } }, {}, null],
    ['the one that only the plain text has', {}, { violence: 'medium' }, 'medium'],
    ['nothing for a harmless one that only the plain text has', {}, { violence: 'none' }, undefined],
  ])('have, as the entry of a category, %s', (_, sent, plain, both) => {
    const { categories } = mergeJudgements(judgedIn('high', sent), judgedIn('high', plain));
    expect(categories?.['violence']).toEqual(both);
  });

  it.each<[string, Moderation, Moderation | null, Moderation]>([
    ['what was sent is clean', judged('none'), null, judged(null)],
    ['what was sent is clean, and the plain text has no words', judged('none'), UNJUDGED, judged(null)],
    ['neither was judged', UNJUDGED, null, UNJUDGED],
    ['only the plain text was judged, and is clean', UNJUDGED, judged('none'), { ...UNJUDGED }],
    ['only a part of the plain text was judged', judged('none'), judged(null, 'none'), judged(null)],
    ['pictures were not judged', judged(null, 'none'), judged('none'), judged(null, 'none')],
  ])('are unknown where something was not judged: %s', (_, sent, plain, both) => {
    expect(mergeJudgements(sent, plain)).toEqual(both);
  });

  it('keep what was found in what was sent if the plain text was not judged', () => {
    const found = [{ category: 'violence', level: 'high', where: { offset: 3, length: 5 } }];
    const sent = { level: 'high', categories: { violence: 'high', drugs: 'none' }, evidence: found } as const;
    expect(mergeJudgements({ ...sent, evidence: [...found] }, null)).toEqual({
      ...sent,
      categories: { violence: 'high', drugs: null },
    });
  });

  it('have the evidence of the plain text without places, and only where it is more severe', () => {
    const sent: Moderation = {
      level: 'low',
      categories: { violence: 'low', sexual: 'none', drugs: 'medium' },
      evidence: [{ category: 'violence', level: 'low', where: { offset: 9, length: 4 } }],
    };
    const plain: Moderation = {
      level: 'high',
      categories: { violence: { level: 'low' }, sexual: 'high', drugs: 'low' },
      evidence: [
        { category: 'sexual', level: 'high', score: 0.9, kind: 'text', chunk: 0, where: { offset: 0, length: 5 } },
        { category: 'violence', level: 'low', where: { offset: 2, length: 4 } },
        { category: 'toString', level: 'high', where: { offset: 2, length: 4 } },
        { level: 'high' },
      ],
    };
    expect(mergeJudgements(sent, plain)).toEqual({
      level: 'high',
      categories: { violence: 'low', sexual: 'high', drugs: 'medium' },
      evidence: [
        { category: 'sexual', level: 'high', score: 0.9, kind: 'text', where: null },
        { category: 'violence', level: 'low', where: { offset: 9, length: 4 } },
      ],
    });
    expect(mergeJudgements({ ...sent, evidence: null }, { ...plain, evidence: null }).evidence).toBeNull();
  });

  it('have at most twenty pieces of evidence, the most severe first', () => {
    const pieces = (level: Level, category: string) =>
      Array.from({ length: 20 }, (_, at) => ({ category, level, term: `${at}`, where: null }));
    const sent: Moderation = {
      level: 'low',
      categories: { violence: 'low' },
      evidence: pieces('low', 'violence'),
    };
    const plain: Moderation = {
      level: 'high',
      categories: { sexual: 'high' },
      evidence: pieces('high', 'sexual').slice(0, 3),
    };
    const { evidence } = mergeJudgements(sent, plain);
    expect(evidence).toEqual([...pieces('high', 'sexual').slice(0, 3), ...pieces('low', 'violence').slice(0, 17)]);
  });
});
