/** Totals are exact up to this number. */
export const EXACT_TOTAL = 10_000;
