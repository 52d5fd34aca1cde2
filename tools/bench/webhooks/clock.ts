/** A clock that all processes of the machine share. */

/**
 * Returns milliseconds of CLOCK_MONOTONIC, with fractions: it has the same origin in every process and is never set.
 */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
