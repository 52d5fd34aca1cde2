/** The saved segment that a request names by its id: `unknown_segment` if the site has none of that id. */
import type pg from 'pg';
import { findSegment } from '../../db/sites/segments.ts';
import { isUuidInAnyCase } from '../../domain/uuid.ts';
import type { FieldFault } from '../../domain/schemas/fieldFaults.ts';
import type { Segment } from '../../reports/reportRequest.ts';
import { conditionsFaults, segmentOf } from '../../reports/validate/index.ts';

export interface SavedSegment {
  segment: Segment | null;
  faults: FieldFault[];
}

/**
 * Validates the segment again: what it refers to may have been removed since it was saved.
 * @param field the field that names it, for its faults
 */
export async function findSavedSegment(
  pool: pg.Pool,
  siteId: string,
  id: string,
  field: string,
): Promise<SavedSegment> {
  const saved = isUuidInAnyCase(id) ? await findSegment(pool, siteId, id) : null;
  if (saved === null) return { segment: null, faults: [{ field, code: 'unknown_segment' }] };
  const [fault] = conditionsFaults(saved.conditions, field);
  if (fault) return { segment: null, faults: [{ field, code: fault.code }] };
  return { segment: segmentOf(saved.conditions), faults: [] };
}
