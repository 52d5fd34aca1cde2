/** A report as the body that it came in has it: where whoever sent it looks for a fault. */
import type { FieldFault } from '../../schemas/faults.ts';

export interface SentAs {
  /** Of the report; empty when it is the whole body. */
  path: string;
  /** The field that says the segment. */
  segment: 'segment' | 'segment_id';
}

/** Faults of a report as faults of the body. @param path of the report */
export function within(path: string, faults: readonly FieldFault[]): FieldFault[] {
  if (path === '') return [...faults];
  return faults.map((fault) => ({ ...fault, field: fault.field === '' ? path : `${path}.${fault.field}` }));
}
