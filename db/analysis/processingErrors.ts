/**
 * The reasons why the steps of an item failed, were deferred or were skipped, as both APIs show them
 * (docs/decisions/processing-errors.md).
 */
import { CODES_THAT_MISS_NOTHING, MISSING_PARTS } from '../../domain/items/errorCodes.ts';
import { STEPS, type Step, type StepError, type StepRecords } from '../../domain/analysis/steps.ts';
import { textList } from '../arrays.ts';

export type ProcessingErrors = Partial<Record<Step, StepError>>;

/**
 * A subquery about the item `i`: for each media step the error of its first failed medium, else the reason of its first
 * skipped one, else what was left out of its first finished one, with the present position of that medium; null when
 * there is none. A medium without anything for the step comes last, since nothing of it is missing.
 */
export const MEDIA_ERRORS = `
  select jsonb_object_agg(e.step, e.error) from (
    select distinct on (e.key) e.key as step, e.value || jsonb_build_object('media_position', m.position) as error
      from item_media m cross join lateral jsonb_each(m.errors) e
     where m.project_id = i.project_id and m.item_id = i.id and m.errors <> '{}'
       and to_jsonb(m) ->> e.key in ('failed', 'skipped', 'done')
     order by e.key, e.value ->> 'code' in ${textList(CODES_THAT_MISS_NOTHING)}, to_jsonb(m) ->> e.key = 'done', to_jsonb(m) ->> e.key, m.position) e`;

/**
 * Returns the errors by step. A step that does not apply to an item is skipped without a reason.
 * @param byMedia the result of `MEDIA_ERRORS`
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
  // A deferred step reports what it waits for, even when one of its media has failed permanently.
  if (state === 'deferred') return error;
  if (state === 'skipped' && error) return byMedia?.[step] ?? error;
  // A part of a medium that preparing left out (its sound, its subtitles) is missing in later steps, and those cannot
  // say why.
  if (state === 'done' && step === 'prepare') return byMedia?.[step] ?? null;
  // The step is done when one medium has subtitles, even if no provider can transcribe another medium, or the rest of
  // this one. Without this error nothing would say why a transcript is missing, or leaves out speech.
  const ofMedium = state === 'done' ? byMedia?.[step] : undefined;
  return ofMedium && MISSING_PARTS.some((code) => code === ofMedium.code) ? ofMedium : null;
}
