/** Random catalogues: 40 to 130 items whose titles, labels and properties recur. */
import { embedText } from '../../../../providers/builtin/embedding/embed.ts';
import type { Dice } from '../../../reports/oracle/world/dice.ts';
import * as pools from './pools.ts';
import { AGES, TYPES, type Item, type ItemType, type PropertyValue, type Results, type State } from './world.ts';

const DAY_MS = 86_400_000;
const STATUSES = [
  ...Array.from({ length: 14 }, () => 'ready' as const),
  'partial',
  'failed',
  'failed',
  'queued',
  'processing',
  'deferred',
] as const;

export function randomState(dice: Dice, now: number): State {
  const items = dice.times(40, 130, (at) => analysed(dice, randomItem(dice, `item-${at}`, now)));
  return { items: new Map(items.map((item) => [item.id, item])), identities: new Map() };
}

/** Returns an item as it is put, before its analysis. */
export function randomItem(dice: Dice, id: string, now: number): Item {
  return {
    id,
    type: dice.chance(60) ? 'text' : dice.pick<ItemType>(TYPES),
    title: randomTitle(dice),
    description: dice.chance(20) ? `${dice.pick(pools.TITLES)}. ${dice.pick(pools.TITLES)}.` : null,
    author: dice.chance(90) ? dice.pick(pools.AUTHORS) : null,
    publishedAt: randomMoment(dice, now),
    properties: dice.chance(90) ? randomProperties(dice) : null,
    available: dice.chance(90),
    deleted: false,
    status: 'queued',
    results: null,
  };
}

export const randomTitle = (dice: Dice): string => dice.pick(dice.chance(35) ? pools.SERIES_TITLES : pools.TITLES);

/** Returns whole seconds, mostly within the past year. */
export function randomMoment(dice: Dice, now: number): number {
  return Math.floor(now / 1000) * 1000 - dice.int(-2, 400) * DAY_MS - dice.int(0, 86_399) * 1000;
}

export function randomProperties(dice: Dice): Record<string, PropertyValue> {
  const values: Record<string, () => PropertyValue> = {
    level: () => dice.pick(pools.LEVELS),
    colour: () => dice.pick(pools.PROPERTY_COLOURS),
    fresh: () => dice.chance(50),
    made: () => dice.pick(pools.MOMENTS),
    sizes: () => dice.times(0, 3, () => dice.pick(pools.SIZES)),
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, make]) => {
      if (dice.chance(20)) return [];
      return [[name, dice.chance(6) ? null : make()]];
    }),
  );
}

/** Returns the item with a random status, and with the results of its analysis that fit the status. */
export function analysed(dice: Dice, item: Item): Item {
  const status = dice.pick(STATUSES);
  return { ...item, status, results: resultsOf(dice, item, status) };
}

function resultsOf(dice: Dice, { title }: Item, status: Item['status']): Results | null {
  if (status === 'queued' || status === 'processing' || status === 'deferred') return null;
  return {
    ...(status === 'partial' ? { topics: [], tags: [], age: null } : labelsOf(dice)),
    ...(status === 'failed' ? { vectors: [], model: 'builtin-embed-2' } : vectorsOf(dice, title)),
  };
}

/** Returns random labels, as a summary has them. */
export function labelsOf(dice: Dice): Pick<Results, 'topics' | 'tags' | 'age'> {
  return {
    topics: dice.times(0, 2, () => dice.pick(pools.LABELS)),
    tags: dice.times(0, 3, () => dice.pick(pools.LABELS)),
    age: dice.chance(75) ? dice.pick(AGES) : null,
  };
}

/** Returns vectors by the built-in model, or in another model's plane; some items have several chunks. */
function vectorsOf(dice: Dice, title: string): Pick<Results, 'vectors' | 'model'> {
  if (dice.chance(8)) {
    const angle = (dice.int(0, 359) / 180) * Math.PI;
    return { vectors: [Float32Array.of(Math.cos(angle), Math.sin(angle))], model: 'circle-1' };
  }
  const isFolded = dice.chance(75);
  const texts = dice.chance(15) ? [title, ...dice.times(1, 18, () => title)] : [title];
  const vectors = texts.map((text) => embedText(text) ?? new Float32Array());
  return isFolded ? { vectors: vectors.map(folded), model: 'folded-1' } : { vectors, model: 'builtin-embed-2' };
}

const FOLDED = 32;

/**
 * Folds a vector into a short one that separates the same things: comparing long ones would be most of a run's
 * cost.
 */
function folded(vector: Float32Array): Float32Array {
  const sums = Array.from({ length: FOLDED }, (_, at) =>
    vector.filter((_value, place) => place % FOLDED === at).reduce((sum, value) => sum + value, 0),
  );
  const length = Math.hypot(...sums);
  return Float32Array.from(sums, (value) => value / length);
}

type Planted = Record<string, Record<string, number>>;

/** Returns a random trained model: which items lead to which. */
export function randomModel(dice: Dice, { items }: State): { taste: Planted; transition: Planted; together: Planted } {
  const ids = [...items.keys()];
  const planted = (): Planted =>
    Object.fromEntries(
      ids.map((id) => [
        id,
        Object.fromEntries(
          dice.times(0, 6, () => [dice.pick(ids), dice.int(1, 100) / 100] as const).filter(([to]) => to !== id),
        ),
      ]),
    );
  return { taste: planted(), transition: planted(), together: planted() };
}

/** Returns the companions of each item: those with at least half of the largest weight. No item has ten targets here. */
export function companionsIn(taste: Planted): Map<string, Set<string>> {
  return new Map(
    Object.entries(taste).map(([id, targets]) => {
      const largest = Math.max(...Object.values(targets));
      return [id, new Set(Object.keys(targets).filter((to) => (targets[to] ?? 0) * 2 >= largest))];
    }),
  );
}
