/** Why the steps of an item failed or were put off, as both APIs show it (docs/decisions/processing-errors.md). */
import { STEPS, type Step, type StepError, type StepRecords } from '../../domain/steps.ts';

export type ProcessingErrors = Partial<Record<Step, StepError>>;

/**
 * A subquery about the item `i`: for each media step, the error of its first failed medium, with the
 * place where that stands now; null when no medium failed.
 */
export const MEDIA_ERRORS = `
  select jsonb_object_agg(e.step, e.error) from (
    select distinct on (e.key) e.key as step, e.value || jsonb_build_object('media_position', m.position) as error
      from item_media m cross join lateral jsonb_each(m.errors) e
     where m.project_id = i.project_id and m.item_id = i.id and m.errors <> '{}' and to_jsonb(m) ->> e.key = 'failed'
     order by e.key, m.position) e`;

/** @param byMedia what `MEDIA_ERRORS` found */
export function errorsOf(steps: StepRecords, byMedia: ProcessingErrors | null): ProcessingErrors {
  const errors: ProcessingErrors = {};
  for (const step of STEPS) {
    const { state, error } = steps[step];
    // A step that was put off tells what it waits for, though one of its media may have failed for good.
    const shown = state === 'failed' ? (byMedia?.[step] ?? error) : state === 'deferred' ? error : null;
    if (shown) errors[step] = shown;
  }
  return errors;
}
