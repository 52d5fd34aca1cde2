/** How often a step of a training may fail through its own fault, and how long it waits for the end of an outage. */
import type { ApplicationFailure } from '@temporalio/common';
import { HOUR_MS } from '../../domain/timeUnits.ts';
import { outageOf, type Outage } from '../outages.ts';

/**
 * A step that fails this often through its own fault will not succeed: the training is abandoned, and the next one
 * starts from the beginning.
 */
const MAX_FAULTS = 4;

/**
 * Long enough for an operator who looks in the morning or in the evening. Not longer, because the nightly round skips a
 * project whose training is still running (domain/training/dueTraining.ts): a training that an outage stops one night
 * is over before the next night, which reads newer events. AttuneTrainingMissing allows the same time for any training.
 */
const MAX_OUTAGE_HOURS = 12;

/**
 * The faults of the attempts so far. Each attempt records them with its last heartbeat, and Temporal passes them to the
 * next one.
 */
export interface FaultHistory {
  /** Number of faults of the step itself. */
  faults: number;
  /**
   * The unavailable part at the last failed attempt, and the time at which that outage was first noticed; null when
   * that attempt met no outage.
   */
  outage: { what: Outage; since: string } | null;
}

export const NO_FAULTS: FaultHistory = { faults: 0, outage: null };

export function withFault({ faults, outage }: FaultHistory, error: unknown): FaultHistory {
  const what = outageOf(error);
  if (what === null) return { faults: faults + 1, outage: null };
  return { faults, outage: { what, since: outage?.since ?? new Date().toISOString() } };
}

/** Returns the reason not to retry the step; null to retry it. */
export function reasonToGiveUp({ faults, outage }: FaultHistory, { message }: ApplicationFailure): string | null {
  if (outage === null) return faults < MAX_FAULTS ? null : message;
  const hours = (Date.now() - Date.parse(outage.since)) / HOUR_MS;
  if (hours < MAX_OUTAGE_HOURS) return null;
  return `${outage.what} was unavailable for ${MAX_OUTAGE_HOURS} hours: ${message}`;
}
