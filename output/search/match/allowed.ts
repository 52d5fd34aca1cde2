/** Which slots a question allows: its rules, what the person has met, and what is like what is not wanted. */
import { passesFilter } from '../../../domain/output/filters.ts';
import { isEligible, mayShow, type JudgedItem, type ShowRules } from '../../../domain/output/mayShow.ts';
import { isSuppressed, similarityOf } from '../../../domain/output/similarity.ts';
import type { Catalogue } from '../../selection/catalogue.ts';
import { itemColumn } from './itemColumns.ts';

export interface AllowedAsked {
  rules: ShowRules;
  suppressed: readonly string[];
  seen: readonly string[];
}

/** By the same rules as the judge of the API. */
export function allowedSlots(
  catalogue: Catalogue,
  { rules, suppressed, seen }: AllowedAsked,
): (slot: number) => boolean {
  const isLeftOut = rejecters(catalogue, { rules, suppressed, seen });
  const eligible = itemColumn(catalogue, 'eligible', isEligible);
  return (slot) => {
    const item = catalogue.itemAt(slot);
    if (item === undefined || !eligible.at(slot, item)) return false;
    for (const rejects of isLeftOut) if (rejects(item, slot)) return false;
    return true;
  };
}

type Rejects = (item: JudgedItem, slot: number) => boolean;

/** Only what the question asks for: of a broad query each item is judged. */
function rejecters(catalogue: Catalogue, { rules, suppressed, seen }: AllowedAsked): Rejects[] {
  const met = new Set(seen);
  const isShunned = shunnedBy(catalogue, suppressed);
  const others = { ...rules, filters: [] };
  return [
    ...(saysNothing(others) ? [] : [(item: JudgedItem) => !mayShow(item, others)]),
    ...rules.filters.map((filter): Rejects => {
      const key = `filter ${JSON.stringify(filter)}`;
      const column = itemColumn(catalogue, key, (item) => passesFilter(filter, item.properties));
      return (item, slot) => !column.at(slot, item);
    }),
    ...(met.size > 0 ? [(item: JudgedItem) => met.has(item.id)] : []),
    ...(suppressed.length > 0 ? [(_item: JudgedItem, slot: number) => isShunned(slot)] : []),
  ];
}

function saysNothing(rules: ShowRules): boolean {
  return Object.values(rules).every(
    (rule) => rule === null || (Array.isArray(rule) && rule.length === 0) || (rule instanceof Set && rule.size === 0),
  );
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
