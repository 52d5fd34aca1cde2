/** Why the steps of an item failed, were put off or were skipped, as both APIs show it (docs/decisions/processing-errors.md). */
import { STEPS, type Step, type StepError, type StepRecords } from '../../domain/steps.ts';

export type ProcessingErrors = Partial<Record<Step, StepError>>;

/**
 * A subquery about the item `i`: for each media step, the error of its first failed medium, else the
 * reason of its first skipped one, with the place where that stands now; null when there is neither.
 */
export const MEDIA_ERRORS = `
  select jsonb_object_agg(e.step, e.error) from (
    select distinct on (e.key) e.key as step, e.value || jsonb_build_object('media_position', m.position) as error
      from item_media m cross join lateral jsonb_each(m.errors) e
     where m.project_id = i.project_id and m.item_id = i.id and m.errors <> '{}' and to_jsonb(m) ->> e.key in ('failed', 'skipped')
     order by e.key, to_jsonb(m) ->> e.key, m.position) e`;

/**
 * A step that has nothing to do for such an item is skipped without a reason.
 * @param byMedia what `MEDIA_ERRORS` found
 */
export function errorsOf(steps: StepRecords, byMedia: ProcessingErrors | null): ProcessingErrors {
  const errors: ProcessingErrors = {};
  for (const step of STEPS) {
    const shown = errorOf(step, steps, byMedia);
    if (shown) errors[step] = shown;
  }
  return errors;
}

function errorOf(step: Step, steps: StepRecords, byMedia: ProcessingErrors | null): StepError | null {
  const { state, error } = steps[step];
  if (state === 'failed') return byMedia?.[step] ?? error;
  // A step that was put off tells what it waits for, though one of its media may have failed for good.
  if (state === 'deferred') return error;
  return state === 'skipped' && error ? (byMedia?.[step] ?? error) : null;
}
