/** One condition on a dimension, {dimension, op, values}, in `filters` and in segments. */
import type { FieldFault } from '../../domain/schemas/fieldFaults.ts';
import { findDimension } from '../registry/index.ts';
import { FILTER_OPS, type FilterOp } from '../reportRequest.ts';
import { REPORT_LIMITS } from './reportLimits.ts';
import type { CheckPattern } from './patternCheck.ts';

export type Given = Readonly<Record<string, unknown>>;

/**
 * Returns the faults of a condition; members of the wrong type are left to the caller.
 * @param isPattern checks patterns within the limits of the request
 */
export function filterFaults({ dimension, op, values }: Given, path: string, isPattern: CheckPattern): FieldFault[] {
  const faults: FieldFault[] = [];
  if (typeof dimension === 'string' && findDimension(dimension) === null)
    faults.push({ field: `${path}.dimension`, code: 'unknown_dimension' });
  if (isBad(op, values, isPattern)) faults.push({ field: path, code: 'bad_filter' });
  return faults;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isBad(op: unknown, values: unknown, isPattern: CheckPattern): boolean {
  if (!isText(op)) return false;
  if (!isFilterOp(op)) return true;
  if (!Array.isArray(values) || !values.every(isText)) return false;
  const most = op === 'in' ? REPORT_LIMITS.filterValues : 1;
  if (values.length === 0 || values.length > most) return true;
  return op === 'regex' && !values.every(isPattern);
}

function isFilterOp(op: string): op is FilterOp {
  return (FILTER_OPS as readonly string[]).includes(op);
}
