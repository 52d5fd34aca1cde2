/** Shows that a process did its part of the work. */
import { until } from '../../../test/support/whole/until.ts';
import { counterOf, type ExtraProcess } from './extraProcess.ts';

/** A counter for each kind of worker that grows with its work. */
const COUNTERS: Record<string, string> = {
  relay: 'attune_outbox_handed_over_total',
  webhook: 'attune_webhook_attempts_total',
  workflow: 'attune_activity_duration_seconds_count',
  media: 'attune_activity_duration_seconds_count',
  ai: 'attune_activity_duration_seconds_count',
  data: 'attune_activity_duration_seconds_count',
};

/** Returns the amount of work that an extra process has done. @throws for a kind that counts none (the API) */
export async function workDone(extra: ExtraProcess): Promise<number> {
  const counter = COUNTERS[extra.name];
  if (counter === undefined) throw new Error(`no counter measures the work of ${extra.name}`);
  return counterOf(extra, counter);
}

/** Waits until an extra process has done some of the work: a fault in an idle one proves nothing. */
export async function untilWorking(extra: ExtraProcess): Promise<void> {
  await until(
    `work of the second ${extra.name}`,
    () => workDone(extra),
    (done) => done > 0,
  );
}
