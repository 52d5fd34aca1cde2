import { describe, expect, it } from '@jest/globals';
import {
  AGE_RATINGS,
  brokenRules,
  isEligible,
  mayShow,
  SHOW_RULES,
  type ItemForRules,
  type ShowRules,
} from '../../../domain/output/mayShow.ts';
import { NO_RULES } from '../../support/showRules.ts';

const ITEM: ItemForRules = {
  id: 'i',
  type: 'text',
  author: 'a',
  publishedAt: new Date('2026-11-10T00:00:00Z'),
  properties: { level: 3 },
  available: true,
  deleted: false,
  status: 'ready',
  ageRating: '12+',
  interests: ['кино', '#travel'],
};
const shows = (item: Partial<ItemForRules>, rules: Partial<ShowRules> = {}) =>
  mayShow({ ...ITEM, ...item }, { ...NO_RULES, ...rules });

describe('isEligible', () => {
  // proves: output-shown/eligible
  it('means available, not deleted and not failed', () => {
    for (const available of [true, false])
      for (const deleted of [true, false])
        for (const status of ['queued', 'processing', 'ready', 'partial', 'failed'] as const)
          expect(isEligible({ available, deleted, status })).toBe(available && !deleted && status !== 'failed');
  });
});

describe('mayShow', () => {
  const CASES: [what: string, item: Partial<ItemForRules>, rules: Partial<ShowRules>, isShown: boolean][] = [
    ['nothing forbids', {}, {}, true],
    ['not available', { available: false }, {}, false],
    ['excluded by id', {}, { excludedItems: new Set(['i']) }, false],
    ['of the type', {}, { types: new Set(['text']) }, true],
    ['of another type', {}, { types: new Set(['video']) }, false],
    ['of no type at all', {}, { types: new Set() }, false],
    ['of the author', {}, { authors: new Set(['a']) }, true],
    ['of another author', {}, { authors: new Set(['b']) }, false],
    ['without an author, where one is requested', { author: null }, { authors: new Set(['a']) }, false],
    ['without an author, where one is hidden', { author: null }, { excludedAuthors: new Set(['a']) }, true],
    ['of a hidden author', {}, { excludedAuthors: new Set(['a']) }, false],
    ['of an author both requested and hidden', {}, { authors: new Set(['a']), excludedAuthors: new Set(['a']) }, false],
    ['published at the beginning', {}, { publishedAfter: ITEM.publishedAt }, true],
    ['published before the beginning', {}, { publishedAfter: new Date('2026-11-10T00:00:00.001Z') }, false],
    ['published at the end', {}, { publishedBefore: ITEM.publishedAt }, false],
    ['published before the end', {}, { publishedBefore: new Date('2026-11-10T00:00:00.001Z') }, true],
    ['of an interest that is not wanted', {}, { excludedInterests: new Set(['кино']) }, false],
    ['of other interests', {}, { excludedInterests: new Set(['кин', 'travel']) }, true],
    [
      'that a filter lets pass',
      {},
      { filters: [{ property: 'level', op: 'gte', type: 'number', operands: [3], isWanted: true }] },
      true,
    ],
    [
      'that one of the filters excludes',
      {},
      {
        filters: [
          { property: 'level', op: 'gte', type: 'number', operands: [3], isWanted: true },
          { property: 'level', op: 'lt', type: 'number', operands: [3], isWanted: true },
        ],
      },
      false,
    ],
  ];
  for (const [what, item, rules, isShown] of CASES)
    it(`${isShown ? 'shows' : 'keeps out'} an item: ${what}`, () => expect(shows(item, rules)).toBe(isShown));

  // proves: output-request/age-rating
  it('respects the age rating, and treats an unknown one as above every maximum', () => {
    for (const [own, ageRating] of AGE_RATINGS.entries())
      for (const [most, maxAgeRating] of AGE_RATINGS.entries())
        expect(shows({ ageRating }, { maxAgeRating })).toBe(own <= most);
    for (const maxAgeRating of AGE_RATINGS) expect(shows({ ageRating: null }, { maxAgeRating })).toBe(false);
    expect(shows({ ageRating: null })).toBe(true);
  });
});

describe('brokenRules', () => {
  /** One item for each rule, which breaks only that rule. */
  const ALONE: Record<(typeof SHOW_RULES)[number], [item: Partial<ItemForRules>, rules: Partial<ShowRules>]> = {
    deleted: [{ deleted: true }, {}],
    unavailable: [{ available: false }, {}],
    failed: [{ status: 'failed' }, {}],
    excluded_item: [{}, { excludedItems: new Set(['i']) }],
    type: [{}, { types: new Set(['video']) }],
    author: [{}, { authors: new Set(['b']) }],
    excluded_author: [{}, { excludedAuthors: new Set(['a']) }],
    published_after: [{}, { publishedAfter: new Date('2026-11-11T00:00:00Z') }],
    published_before: [{}, { publishedBefore: ITEM.publishedAt }],
    age_rating: [{ ageRating: null }, { maxAgeRating: '18+' }],
    interest: [{}, { excludedInterests: new Set(['кино']) }],
    filter: [{}, { filters: [{ property: 'level', op: 'gt', type: 'number', operands: [3], isWanted: true }] }],
  };

  it.each(SHOW_RULES)('names %s, and no item that breaks it is shown', (rule) => {
    const [item, rules] = ALONE[rule];
    expect(brokenRules({ ...ITEM, ...item }, { ...NO_RULES, ...rules })).toEqual([rule]);
    expect(shows(item, rules)).toBe(false);
  });

  it('names all broken rules, and none if an item may be shown', () => {
    expect(brokenRules(ITEM, NO_RULES)).toEqual([]);
    const rules = { ...NO_RULES, types: new Set<never>(), maxAgeRating: '0+' as const };
    expect(brokenRules({ ...ITEM, deleted: true }, rules)).toEqual(['deleted', 'type', 'age_rating']);
  });
});
