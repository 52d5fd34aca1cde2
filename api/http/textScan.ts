/**
 * What no schema sees: strings and keys that PostgreSQL or JSON cannot carry (NUL, lone surrogates),
 * numbers that JSON turned into infinity, nesting that would exhaust a stack further on.
 */
import type { FieldFault } from './errors.ts';

/** Levels of objects and arrays; nothing documented comes near. */
export const MAX_DEPTH = 64;
const MAX_FAULTS = 100;

interface Visit {
  value: unknown;
  field: string;
  depth: number;
}

/** The faults in order of appearance, each `invalid_value`, at most 100. Never recursive. */
export function scanValues(root: unknown): FieldFault[] {
  const faults: FieldFault[] = [];
  const pending: Visit[] = [{ value: root, field: '', depth: 0 }];
  for (let visit = pending.pop(); visit !== undefined && faults.length < MAX_FAULTS; visit = pending.pop()) {
    if (isBadLeaf(visit.value)) faults.push({ field: visit.field, code: 'invalid_value' });
    else if (typeof visit.value === 'object' && visit.value !== null) descend(visit.value, visit, pending, faults);
  }
  return faults;
}

/** The path of an array's element or an object's member. */
export function childField(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  // A path has to be printable even when the key is what is wrong.
  const name = key.replaceAll('\0', '\uFFFD').toWellFormed();
  return parent === '' ? name : `${parent}.${name}`;
}

function descend(container: object, visit: Visit, pending: Visit[], faults: FieldFault[]): void {
  if (visit.depth === MAX_DEPTH) {
    faults.push({ field: topField(visit.field), code: 'invalid_value' });
    return;
  }
  const depth = visit.depth + 1;
  if (Array.isArray(container)) {
    for (let index = container.length - 1; index >= 0; index--) pending.push({ value: container[index], field: childField(visit.field, index), depth });
    return;
  }
  for (const [key, value] of Object.entries(container).reverse()) {
    const field = childField(visit.field, key);
    if (isBadText(key)) faults.push({ field, code: 'invalid_value' });
    else pending.push({ value, field, depth });
    if (faults.length >= MAX_FAULTS) return;
  }
}

function isBadLeaf(value: unknown): boolean {
  return typeof value === 'string' ? isBadText(value) : typeof value === 'number' && !Number.isFinite(value);
}

function isBadText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/** Too deep a value is blamed on the field of the body that holds it: its full path would be a book. */
function topField(field: string): string {
  return /^[^.[]*/.exec(field)?.[0] ?? '';
}
