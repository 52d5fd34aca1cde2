/**
 * Faults that no schema can see: strings and keys that PostgreSQL or JSON cannot represent (NUL, lone surrogates),
 * numbers that JSON turned into infinity, nesting that would exhaust a stack later.
 */
import { MAX_FAULTS, type FieldFault } from './fieldFaults.ts';

/** Maximum levels of objects and arrays; nothing documented comes near. */
export const MAX_DEPTH = 64;

/** A value and how it was reached; its path is only built when there is a fault to report. */
interface Visit {
  value: unknown;
  parent: Visit | null;
  key: string | number;
  depth: number;
}

/**
 * Returns the faults, each `invalid_value`, at most 100; those of values are in order of appearance. However deep the
 * nesting, the search cannot exhaust the stack.
 * @param maxVisits maximum number of values to check, for a body that will be rejected anyway
 */
export function scanValues(root: unknown, maxVisits = Number.POSITIVE_INFINITY): FieldFault[] {
  if (maxVisits === Number.POSITIVE_INFINITY && isClean(root, 0)) return [];
  const faults: FieldFault[] = [];
  const pending: Visit[] = [{ value: root, parent: null, key: '', depth: 0 }];
  let visits = 0;
  for (let visit = pending.pop(); visit !== undefined && faults.length < MAX_FAULTS; visit = pending.pop()) {
    if (++visits > maxVisits) break;
    if (isBadLeaf(visit.value)) faults.push({ field: fieldOf(visit), code: 'invalid_value' });
    else if (typeof visit.value !== 'object' || visit.value === null) continue;
    else if (visit.depth < MAX_DEPTH) descend(visit.value, visit, pending, faults);
    // The fault is reported for the top-level field that contains it, because the full path would be far too long.
    else faults.push({ field: /^[^.[]*/.exec(fieldOf(visit))?.[0] ?? '', code: 'invalid_value' });
  }
  return faults;
}

/**
 * Returns true when there are no faults, as for nearly every body, without remembering paths. It recurses down to
 * MAX_DEPTH only.
 */
function isClean(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return !isBadLeaf(value);
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((element) => isClean(element, depth + 1));
  for (const key in value) {
    if (isBadText(key) || !isClean((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

/** Returns the path of an array's element or an object's member. */
export function childField(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  // A path has to be printable even when the key itself is the fault.
  const name = key.replaceAll('\0', '\uFFFD').toWellFormed();
  return parent === '' ? name : `${parent}.${name}`;
}

function fieldOf({ parent, key }: Visit): string {
  return parent === null ? '' : childField(fieldOf(parent), key);
}

function descend(container: object, parent: Visit, pending: Visit[], faults: FieldFault[]): void {
  const depth = parent.depth + 1;
  if (Array.isArray(container)) {
    for (let index = container.length - 1; index >= 0; index--)
      pending.push({ value: container[index], parent, key: index, depth });
    return;
  }
  for (const [key, value] of Object.entries(container).reverse()) {
    const child: Visit = { value, parent, key, depth };
    if (isBadText(key)) faults.push({ field: fieldOf(child), code: 'invalid_value' });
    else pending.push(child);
    if (faults.length >= MAX_FAULTS) return;
  }
}

function isBadLeaf(value: unknown): boolean {
  return typeof value === 'string' ? isBadText(value) : typeof value === 'number' && !Number.isFinite(value);
}

function isBadText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}
