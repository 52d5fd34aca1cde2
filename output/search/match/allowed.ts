/**
 * Determines which slots a question allows, by its rules, the items that the person has met, and similarity to
 * suppressed items.
 */
import {
  passesFilter,
  passesValues,
  propertyValues,
  type BoundFilter,
} from '../../../domain/output/propertyFilters.ts';
import { isEligible, mayShow, type ItemForRules, type ShowRules } from '../../../domain/output/mayShow.ts';
import { isSuppressed, similarityOf } from '../../../domain/output/similarity/similarity.ts';
import type { Catalogue } from '../../selection/catalogue/catalogue.ts';
import { itemColumn } from './cachedItemValues.ts';
import { propertyOf } from './facets.ts';

export interface SlotRestrictions {
  rules: ShowRules;
  suppressed: readonly string[];
  seen: readonly string[];
}

/** Returns the test of a slot, by the same rules as the check of the API. */
export function allowedSlots(
  catalogue: Catalogue,
  { rules, suppressed, seen }: SlotRestrictions,
): (slot: number) => boolean {
  const tests = rejectionTests(catalogue, { rules, suppressed, seen });
  const eligible = itemColumn(catalogue, 'eligible', isEligible);
  return (slot) => {
    const item = catalogue.itemAt(slot);
    if (item === undefined || !eligible.at(slot, item)) return false;
    for (const rejects of tests) if (rejects(item, slot)) return false;
    return true;
  };
}

type Rejects = (item: ItemForRules, slot: number) => boolean;

/** Returns only the tests that the question needs: for a broad query they run on every item. */
function rejectionTests(catalogue: Catalogue, { rules, suppressed, seen }: SlotRestrictions): Rejects[] {
  const seenIds = new Set(seen);
  const isNearSuppressed = nearSuppressedTest(catalogue, suppressed);
  const others = { ...rules, filters: [] };
  return [
    ...(isUnrestricted(others) ? [] : [(item: ItemForRules) => !mayShow(item, others)]),
    ...rules.filters.map((filter) => filterTest(catalogue, filter)),
    ...(seenIds.size > 0 ? [(item: ItemForRules) => seenIds.has(item.id)] : []),
    ...(suppressed.length > 0 ? [(_item: ItemForRules, slot: number) => isNearSuppressed(slot)] : []),
  ];
}

function filterTest(catalogue: Catalogue, filter: BoundFilter): Rejects {
  const { property, type } = filter;
  if (type === 'datetime') {
    // Reading a time takes longest, and each request may compare with another one, such as its own.
    const times = itemColumn(catalogue, `times ${property}`, (item) =>
      propertyValues(propertyOf(item, property), type),
    );
    return (item, slot) => !passesValues(filter, times.at(slot, item));
  }
  const passing = itemColumn(catalogue, `filter ${JSON.stringify(filter)}`, (item) =>
    passesFilter(filter, item.properties),
  );
  return (item, slot) => !passing.at(slot, item);
}

function isUnrestricted(rules: ShowRules): boolean {
  return Object.values(rules).every(
    (rule) => rule === null || (Array.isArray(rule) && rule.length === 0) || (rule instanceof Set && rule.size === 0),
  );
}

/**
 * Returns a test for slots that are the same thing as a suppressed item, by the cached neighbours: comparing every hit
 * of a broad query with each suppressed item would take seconds. Hits are compared one by one only for an item with
 * hundreds of duplicates.
 */
function nearSuppressedTest(catalogue: Catalogue, suppressed: readonly string[]): (slot: number) => boolean {
  const nearSlots = new Set<number>();
  const crowded = suppressed.flatMap((id) => {
    const slot = catalogue.slotOf(id);
    const own = slot === undefined ? null : catalogue.vectors.at(slot);
    if (slot === undefined || own === null) return [];
    const { same } = similarityOf(own.model);
    const { slots, floor } = catalogue.neighboursOf(slot);
    nearSlots.add(slot);
    for (const near of slots) {
      const placed = catalogue.vectors.at(near);
      if (placed && isSuppressed(placed, [own])) nearSlots.add(near);
    }
    return floor !== null && floor >= same ? [own] : [];
  });
  return (slot) => {
    if (nearSlots.has(slot)) return true;
    const placed = crowded.length > 0 ? catalogue.vectors.at(slot) : null;
    return placed !== null && isSuppressed(placed, crowded);
  };
}
