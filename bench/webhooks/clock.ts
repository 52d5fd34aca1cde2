/** The clock that all processes of the machine share. */

/** Milliseconds of CLOCK_MONOTONIC, with fractions: it has the same zero in every process and is never set. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
