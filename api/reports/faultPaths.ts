/** The path of a report in the request body, where the sender looks for a fault. */
import type { FieldFault } from '../../domain/schemas/fieldFaults.ts';

export interface SentAs {
  /** Path of the report; empty when it is the whole body. */
  path: string;
  /** The field that defines the segment. */
  segment: 'segment' | 'segment_id';
}

/** Converts faults of a report to faults of the body. @param path path of the report */
export function prefixPaths(path: string, faults: readonly FieldFault[]): FieldFault[] {
  if (path === '') return [...faults];
  return faults.map((fault) => ({ ...fault, field: fault.field === '' ? path : `${path}.${fault.field}` }));
}
