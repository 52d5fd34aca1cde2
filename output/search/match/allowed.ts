/** Which slots a question allows: its rules, what the person has met, and what is like what is not wanted. */
import { passesFilter } from '../../../domain/output/filters.ts';
import { mayShow, type ShowRules } from '../../../domain/output/rules.ts';
import { isSuppressed, similarityOf } from '../../../domain/output/similarity.ts';
import type { Catalogue } from '../../selection/catalogue.ts';
import { itemColumn } from './itemColumns.ts';

export interface AllowedAsked {
  rules: ShowRules;
  suppressed: readonly string[];
  seen: readonly string[];
}

/** As the judge of the API will see it; a slot is judged once for each question. */
export function allowedSlots(
  catalogue: Catalogue,
  { rules, suppressed, seen }: AllowedAsked,
): (slot: number) => boolean {
  const filters = rules.filters.map((filter) => ({
    filter,
    column: itemColumn(catalogue, `filter ${JSON.stringify(filter)}`, (item) => passesFilter(filter, item.properties)),
  }));
  const others = { ...rules, filters: [] };
  const met = new Set(seen);
  const isShunned = shunnedBy(catalogue, suppressed);
  return (slot) => {
    const item = catalogue.itemAt(slot);
    return (
      item !== undefined &&
      mayShow(item, others) &&
      filters.every(({ column }) => column.at(slot, item)) &&
      !(met.size > 0 && met.has(item.id)) &&
      !isShunned(slot)
    );
  };
}

/**
 * What is the same thing as one of these, by the kept neighbours: to compare every hit of a broad query with each of
 * them would take seconds. Only of a thing with hundreds of the same each one is compared.
 */
function shunnedBy(catalogue: Catalogue, suppressed: readonly string[]): (slot: number) => boolean {
  const shunned = new Set<number>();
  const crowded = suppressed.flatMap((id) => {
    const slot = catalogue.slotOf(id);
    const own = slot === undefined ? null : catalogue.vectors.at(slot);
    if (slot === undefined || own === null) return [];
    const { same } = similarityOf(own.model);
    const { slots, floor } = catalogue.neighboursOf(slot);
    shunned.add(slot);
    for (const near of slots) {
      const placed = catalogue.vectors.at(near);
      if (placed && isSuppressed(placed, [own])) shunned.add(near);
    }
    return floor !== null && floor >= same ? [own] : [];
  });
  return (slot) => {
    if (shunned.has(slot)) return true;
    const placed = crowded.length > 0 ? catalogue.vectors.at(slot) : null;
    return placed !== null && isSuppressed(placed, crowded);
  };
}
