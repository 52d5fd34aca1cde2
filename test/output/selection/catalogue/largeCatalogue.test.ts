import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CatalogueChange } from '../../../../db/output/catalogueChanges.ts';
import type { BoundFilter } from '../../../../domain/output/propertyFilters.ts';
import { similarityOf } from '../../../../domain/output/similarity/similarity.ts';
import { cosine, type ItemVector } from '../../../../domain/output/vectors.ts';
import { rank } from '../../../../output/selection/rank/rank.ts';
import { NO_RULES } from '../../../support/showRules.ts';
import { ask, documentOf, libraryOf } from '../../search/support/library.ts';
import { change, feedFor, placed, similarTo } from '../../support/catalogues.ts';
import { Directions } from '../../support/directions.ts';

const MODEL = 'builtin-use-multilingual-v3';
const { similar: NEAR } = similarityOf(MODEL);

/** Sketches are used from 8,192 slots on. */
const ITEMS = 9_000;
/**
 * A fifth of the items is about the first subject: more items than a list keeps or the sketches preselect.
 */
const SUBJECTS = 49;
const subjectOf = (n: number) => (n % 5 === 0 ? 0 : 1 + ((n - Math.ceil(n / 5)) % (SUBJECTS - 1)));

const directions = new Directions(61);
const subjects = Array.from({ length: SUBJECTS }, () => directions.any());
const about = (subject: number, cosineWith: number): ItemVector =>
  placed(directions.at(cosineWith, subjects[subject] ?? directions.any()), MODEL);

/** Earlier items are nearer to their subject. */
const library = libraryOf(
  Array.from({ length: ITEMS }, (_, n) => ({
    id: `i-${n}`,
    title: 'вещь',
    item: { placed: about(subjectOf(n), 0.97 - (0.37 * n) / ITEMS), properties: { shelf: n } },
  })),
  { filterable: ['shelf'] },
);
const { catalogue } = library;

/** The contents that the catalogue must have, in the order of its slots. */
const known = new Map<string, ItemVector | null>(
  Array.from({ length: ITEMS }, (_, n) => [`i-${n}`, catalogue.vectors.at(n)]),
);

function put(id: string, data: Partial<CatalogueChange>): void {
  const isNew = catalogue.slotOf(id) === undefined;
  catalogue.apply([change(id, { properties: { shelf: shelfOf(id) }, ...data })]);
  if (isNew) library.index.put(catalogue.slotOf(id) ?? -1, documentOf({ id, title: 'вещь' }));
  known.set(id, data.deleted ? null : (data.placed ?? null));
}

const shelves = (...operands: number[]): BoundFilter[] => [
  { property: 'shelf', op: 'in', type: 'number', operands, isWanted: true },
];
/** The shelf is part of the id. */
const shelfOf = (id: string): number => Number(id.replace(/\D/gu, ''));
const passes = (id: string, [filter]: readonly BoundFilter[]): boolean =>
  filter === undefined || filter.operands.includes(shelfOf(id));

const slotOf = (id: string): number => catalogue.slotOf(id) ?? -1;
const isDeleted = (id: string): boolean => catalogue.itemAt(slotOf(id))?.deleted ?? true;

/** Compares every item and returns the nearest first. */
function bruteForceNearest(to: ItemVector, filters: readonly BoundFilter[] = []): { id: string; value: number }[] {
  return [...known]
    .flatMap(([id, own]) => (own === null || !passes(id, filters) ? [] : [{ id, value: Math.fround(cosine(own, to)) }]))
    .filter(({ value }) => value >= NEAR)
    .sort((a, b) => b.value - a.value || slotOf(a.id) - slotOf(b.id));
}

function vectorOfItem(id: string): ItemVector {
  const own = known.get(id);
  if (!own) throw new Error(`${id} has no vector`);
  return own;
}

function expectSimilar(id: string, filters: readonly BoundFilter[] = [], limit = 10): string[] {
  const { ranked, mode } = rank(catalogue, similarTo(id, { limit, rules: { ...NO_RULES, filters } }));
  const expected = bruteForceNearest(vectorOfItem(id), filters).filter((other) => other.id !== id);
  const expectedItems = expected.slice(0, limit).map((one) => ({ id: one.id, score: Number(one.value.toFixed(4)) }));
  expect(ranked.map((one) => ({ id: one.id, score: one.score }))).toEqual(expectedItems);
  expect(mode).toBe('contextual');
  return ranked.map((one) => one.id);
}

/** Compares the feed of a person who has met two items, `earlier` before `last`. */
function expectFeed(last: string, earlier: string, filters: readonly BoundFilter[] = []): string[] {
  const rules = { ...NO_RULES, filters, excludedItems: new Set([last, earlier]) };
  const items = [last, earlier].map((item) => ({ item, weight: 1 }));
  const { ranked } = rank(catalogue, feedFor({ taste: { items }, rules }));
  const scores = new Map<string, number>();
  for (const [at, id] of [last, earlier].entries())
    for (const one of bruteForceNearest(vectorOfItem(id), filters))
      scores.set(one.id, Math.max(scores.get(one.id) ?? 0, one.value * 0.5 ** (at / 5)));
  const rest = [...known.keys()].filter((id) => passes(id, filters) && !scores.has(id) && !isDeleted(id));
  const expected = [...scores.keys()]
    .filter((id) => id !== last && id !== earlier)
    .sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || slotOf(a) - slotOf(b));
  const ids = ranked.map((one) => one.id);
  expect(ids).toEqual([...expected, ...rest.sort((a, b) => slotOf(a) - slotOf(b))].slice(0, 10));
  return ids;
}

/** Searches by the meaning of an item, with a word that no item contains. */
function expectFound(id: string, filters: readonly BoundFilter[] = []): string[] {
  const meaning = { placed: vectorOfItem(id), threshold: NEAR };
  const reply = ask({ ...library, meaning }, 'другое', { semantic: 1, rules: { ...NO_RULES, filters } });
  const expected = bruteForceNearest(vectorOfItem(id), filters).slice(0, 100);
  const least = NEAR + 0.5 * ((expected[0]?.value ?? 0) - NEAR);
  const ids = reply.found.map((one) => one.id);
  expect(ids).toEqual(expected.filter(({ value }) => value >= least).map((one) => one.id));
  return ids;
}

/** About the large subject and three others; the last two are less near to their subjects. */
const ASKED = ['i-0', 'i-1', 'i-2', 'i-2000', 'i-2002'];

function expectAll(): void {
  for (const id of ASKED) {
    expectSimilar(id);
    expectFound(id);
  }
  expectFeed('i-1', 'i-2');
  expectFeed('i-2', 'i-2002');
}

beforeEach(() => {
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-12-01T00:00:00Z'));
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a catalogue of thousands of items', () => {
  it('answers as if every item had been compared', () => {
    expectAll();
    expect(catalogue.neighboursOf(0).floor).not.toBeNull();
    expect(catalogue.neighboursOf(1).floor).toBeNull();
  });

  it('answers in the same way after items have moved and others have come', () => {
    expectAll();
    for (let n = 3_000; n < 3_300; n += 1) put(`i-${n}`, { placed: about(n % 4, 0.97 - (n - 3_000) / 900) });
    for (let n = 0; n < 100; n += 1) put(`new-${ITEMS + n}`, { placed: about(n % 6, 0.9 + n / 1_500) });
    expectAll();
    expect(expectSimilar('i-0')).toContain(`new-${ITEMS + 96}`);
  });

  it('answers in the same way after items were deleted or lost their vectors, and after some have returned', () => {
    const first = [...new Set(ASKED.flatMap((id) => expectSimilar(id)))].filter((id) => !ASKED.includes(id));
    for (const [at, id] of first.entries())
      put(id, at % 2 === 0 ? { deleted: true, placed: known.get(id) ?? null } : { placed: null });
    expectAll();
    for (const id of first.filter((_, at) => at % 4 === 0)) put(id, { placed: about(1, 0.96) });
    expectAll();
  });

  it('finds whatever matches a narrow filter', () => {
    // Two are about the large subject but not among the nearest; one is about another subject.
    const [far, farther, other] = [5_005, 8_995, 8_001];
    const filters = shelves(far, farther, other, ITEMS + 500);
    expect(expectSimilar('i-0', filters)).toEqual([`i-${far}`, `i-${farther}`]);
    expect(expectFound('i-0', filters).slice(0, 1)).toEqual([`i-${far}`]);
    expect(expectFeed('i-1', 'i-2', filters).toSorted()).toEqual(
      `i-${far} i-${farther} i-${other}`.split(' ').toSorted(),
    );
    const { ranked } = rank(
      catalogue,
      feedFor({ taste: { items: [{ item: 'i-0', weight: 1 }] }, rules: { ...NO_RULES, filters } }),
    );
    expect(ranked).toHaveLength(3);
    expectSimilar('i-0', shelves(...Array.from({ length: 300 }, (_, n) => 30 * n)), 60);
  });
});
