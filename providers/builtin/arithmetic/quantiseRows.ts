/** Quantisation of rows for products of integers. */
import type { IntegerRows, Rows } from './weightProducts.ts';
import type { RowOperations } from './rowOperations.ts';
import { INTEGER_NORM } from './weights.ts';

/**
 * Quantises rows to integers that are as large as possible without exceeding `INTEGER_NORM` in any window of the text.
 * @param windows how many rows there are, and how many adjacent ones a product takes; their length is a multiple of 16
 * @param to as many integers as the rows have numbers
 */
export function quantiseRows(
  { sums, round }: RowOperations,
  { data, stride }: Rows,
  windows: { count: number; size: number },
  to: Int16Array,
): IntegerRows {
  let maxSquares = 0;
  for (let row = 0; row < windows.count; row += 1)
    maxSquares = Math.max(maxSquares, sums(data, row * stride, stride).squares);
  const scale = Math.sqrt(maxSquares * windows.size) / INTEGER_NORM || 1;
  round(data, to, windows.count * stride, scale);
  return { data: to, stride, scale };
}
