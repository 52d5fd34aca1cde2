/** Plans which columns of a published model are solved again. */
import type { SolvedPart } from '../../../domain/training/trainingMessages.ts';
import type { StoredItemModel } from '../../models/modelFile.ts';
import { ColumnSolver, type Columns, type Evidence } from './columnSolver.ts';
import { at } from '../rows/interactions.ts';
import { TopNumbers } from '../../topNumbers.ts';
import { columnsOf, GONE, renumbered } from './columnsToRows.ts';

/** A published model with the item numbers of the current data. */
export interface FormerModel {
  /**
   * For each current item, how many people had met it when its column was solved; 0 for an item unknown to the model.
   */
  people: Uint32Array;
  columns: Record<SolvedPart, Columns>;
  /** Current items whose columns used an item that no longer exists. */
  orphaned: Record<SolvedPart, ReadonlySet<number>>;
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
    orphaned: { taste: orphanedOf(taste, numberOf), transition: orphanedOf(transition, numberOf) },
  };
}

function orphanedOf({ targets, offsets, support }: Columns, numberOf: Uint32Array): Set<number> {
  const orphaned = new Set<number>();
  for (let column = 0; column < targets.length; column += 1) {
    const target = at(numberOf, at(targets, column));
    const items = support.subarray(at(offsets, column), at(offsets, column + 1));
    if (target !== GONE && items.some((item) => at(numberOf, item) === GONE)) orphaned.add(target);
  }
  return orphaned;
}

/**
 * Maximum share of all columns that are solved again because of new events, the most changed first. The others wait for
 * the next night.
 */
const GROWN_SHARE = 1 / 15;
/** Minimum relative change of the number of people who met an item. */
const MIN_GROWTH = 0.02;

/** Returns the items whose number of people has changed most, relative to the former number; the most changed first. */
export function grownItems(former: Uint32Array, now: Uint32Array): number[] {
  const grown = new TopNumbers(Math.ceil(now.length * GROWN_SHARE));
  for (let item = 0; item < now.length; item += 1) {
    const growth = Math.abs(at(now, item) - at(former, item)) / (at(former, item) + 1);
    if (growth >= MIN_GROWTH) grown.offer(item, growth);
  }
  return Array.from(grown.ranked().numbers);
}

/**
 * Returns the columns that differ from those of a training without the forgotten data. The behaviour of a person
 * affects the sums of pairs of that person's items T. So a column is affected if its target is in T, or if its support
 * contained, or now contains, an item of T: any other column uses none of these sums, and the cosines by which its
 * support is chosen are unchanged.
 */
export function forgottenColumns(
  evidence: Evidence,
  neighbours: number,
  { columns, orphaned }: { columns: Columns; orphaned: ReadonlySet<number> },
  forgotten: ReadonlySet<number>,
): Set<number> {
  const affected = new Set([...forgotten, ...orphaned]);
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

/** Returns the columns without those of some targets. */
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
  for (const [index, column] of kept.entries()) {
    const range = [at(offsets, column), at(offsets, column + 1)] as const;
    made.support.set(support.subarray(...range), at(made.offsets, index));
    made.weights.set(weights.subarray(...range), at(made.offsets, index));
  }
  return made;
}
