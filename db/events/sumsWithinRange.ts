/**
 * SQL expressions for sums over numbers that clients send, which may have any value. PostgreSQL fails a statement whose
 * sum or product leaves the range of a double, above or below, and such a statement would fail on every further
 * attempt: no later event would be counted, and no later row of a deleted person removed.
 */

/** Returns a value that can be summed over any number of rows; null stays null, which `least` would not keep. */
export const summable = (value: string): string =>
  `case when ${value} > 1e290 then 1e290 when ${value} < -1e290 then -1e290 else ${value} end`;

/** Returns SQL of price × quantity of a row, whose square can be summed as well. A missing quantity is one. */
export const amountOf = (row: string): string =>
  `${factor(`coalesce(${row}.price, 0)`)} * ${factor(`coalesce(${row}.quantity, 1)`)}`;

/** SQL of the same for an event `e`. */
export const AMOUNT_OF_EVENT = amountOf('e');

function factor(value: string): string {
  return `case when ${value} < 1e-60 then 0 else least(${value}, 1e60) end`;
}
