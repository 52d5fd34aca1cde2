/** How many media a process downloads and decodes at a time, and how many of them may belong to one project. */

/**
 * Slots per decoder. Downloads wait for strangers' hosts, while decoding needs a CPU: if a download held a decoder's
 * slot, two very slow hosts would stop everybody's media. Each medium may take up to 2 GiB of the work folder.
 */
export const MEDIA_PER_DECODER = 4;
/** Concurrent activities per decoder: those with a slot, and those waiting for their project's turn. */
export const ACTIVITIES_PER_DECODER = 16;
/**
 * An activity that waits longer for a slot returns to Temporal, so that one project's queue does not hold up the
 * others.
 */
export const MAX_WAIT_MS = 30_000;

/**
 * Returns the maximum number of slots of one project: a quarter of all slots, at least one, is left to other projects.
 */
export function maxSlotsPerProject(slots: number): number {
  return slots - Math.max(1, Math.floor(slots / 4));
}
