/** Which columns of a published model are to be solved again. */
import type { SolvedPart } from '../../domain/output/training.ts';
import type { StoredItemModel } from '../models/modelFile.ts';
import { ColumnSolver, type Columns, type Evidence } from './columnSolver.ts';
import { at } from './interactions.ts';
import { TopNumbers } from '../topNumbers.ts';
import { columnsOf, GONE, renumbered } from './weights.ts';

/** A published model in the numbers that the data of now has for the items. */
export interface FormerModel {
  /** Of each item of now, how many people had met it when its column was solved; 0 for what the model does not know. */
  people: Uint32Array;
  columns: Record<SolvedPart, Columns>;
  /** Items of now whose columns told of an item that is gone. */
  bereft: Record<SolvedPart, ReadonlySet<number>>;
}

export function formerModel(model: StoredItemModel, ids: readonly string[]): FormerModel {
  const numbers = new Map(ids.map((id, number) => [id, number]));
  const numberOf = Uint32Array.from(model.ids, (id) => numbers.get(id) ?? GONE);
  const people = new Uint32Array(ids.length);
  for (const [former, number] of numberOf.entries()) if (number !== GONE) people[number] = at(model.people, former);
  const taste = columnsOf(model.taste);
  const transition = columnsOf(model.transition);
  return {
    people,
    columns: { taste: renumbered(taste, numberOf), transition: renumbered(transition, numberOf) },
    bereft: { taste: bereftOf(taste, numberOf), transition: bereftOf(transition, numberOf) },
  };
}

function bereftOf({ targets, offsets, support }: Columns, numberOf: Uint32Array): Set<number> {
  const bereft = new Set<number>();
  for (let column = 0; column < targets.length; column += 1) {
    const target = at(numberOf, at(targets, column));
    const items = support.subarray(at(offsets, column), at(offsets, column + 1));
    if (target !== GONE && items.some((item) => at(numberOf, item) === GONE)) bereft.add(target);
  }
  return bereft;
}

/** Of the columns that new events have changed, the most changed: so many of all. The others have the next night. */
const GROWN_SHARE = 1 / 15;
/** So much more must have met an item, or fewer. */
const LEAST_GROWTH = 0.02;

/** Items whose number of people has changed most, relative to what it was; the most changed first. */
export function grownItems(former: Uint32Array, now: Uint32Array): number[] {
  const grown = new TopNumbers(Math.ceil(now.length * GROWN_SHARE));
  for (let item = 0; item < now.length; item += 1) {
    const growth = Math.abs(at(now, item) - at(former, item)) / (at(former, item) + 1);
    if (growth >= LEAST_GROWTH) grown.offer(item, growth);
  }
  return grown.ranked().map(({ number }) => number);
}

/**
 * Columns that differ from those of a training without what was forgotten. What somebody did is in the sums of pairs of
 * that person's items T. So a column is another one if its target is of T, or its support was, or has now, an item of T:
 * any other sees none of these sums, and the cosines by which its support is chosen are the same.
 */
export function forgottenColumns(
  evidence: Evidence,
  neighbours: number,
  { columns, bereft }: { columns: Columns; bereft: ReadonlySet<number> },
  forgotten: ReadonlySet<number>,
): Set<number> {
  const affected = new Set([...forgotten, ...bereft]);
  if (forgotten.size === 0) return affected;
  for (let column = 0; column < columns.targets.length; column += 1) {
    const items = columns.support.subarray(at(columns.offsets, column), at(columns.offsets, column + 1));
    if (items.some((item) => forgotten.has(item))) affected.add(at(columns.targets, column));
  }
  const solver = new ColumnSolver(evidence, neighbours);
  const itemCount = evidence.knownByItem.offsets.length - 1;
  for (let item = 0; item < itemCount; item += 1) {
    if (!affected.has(item) && solver.supportOf(item).some((near) => forgotten.has(near))) affected.add(item);
  }
  return affected;
}

/** Columns without those of some targets. */
export function withoutTargets({ targets, offsets, support, weights }: Columns, left: ReadonlySet<number>): Columns {
  const kept = targets.map((_, column) => column).filter((column) => !left.has(at(targets, column)));
  const ends = [0];
  for (const column of kept) ends.push((ends.at(-1) ?? 0) + at(offsets, column + 1) - at(offsets, column));
  const made: Columns = {
    targets: kept.map((column) => at(targets, column)),
    offsets: Uint32Array.from(ends),
    support: new Uint32Array(ends.at(-1) ?? 0),
    weights: new Float32Array(ends.at(-1) ?? 0),
  };
  for (const [place, column] of kept.entries()) {
    const range = [at(offsets, column), at(offsets, column + 1)] as const;
    made.support.set(support.subarray(...range), at(made.offsets, place));
    made.weights.set(weights.subarray(...range), at(made.offsets, place));
  }
  return made;
}
