/** Chance for the benchmark's SQL: numbers that follow from what they are of, so that the same rows come each time. */
import type { LakeConnection } from '../../../reports/lake/connection.ts';

const MACROS = [
  // What it is for keeps chances of one number apart. Hashed once more: DuckDB's hash of two values joins them by a plain XOR.
  `random_of(what, number) as hash(xor(hash(what), number::UBIGINT))`,
  // From 0 up to 1.
  `chance(what, number) as (random_of(what, number) >> 12)::DOUBLE / 4503599627370496.0`,
  // From 0 to count − 1, nearly Zipf's distribution: the share of k is ln((k + 2) / (k + 1)) / ln(count + 1).
  `zipf(what, number, count) as least(count - 1, floor(exp(chance(what, number) * ln(count + 1)))::BIGINT - 1)`,
  `below(what, number, count) as floor(chance(what, number) * count)::BIGINT`,
  `uuid_of(what, number) as md5(what || ' ' || number)::UUID`,
  // One of a list whose order is that of popularity.
  `popular(what, number, list) as list[1 + zipf(what, number, len(list))]`,
];

export async function createChance(connection: LakeConnection): Promise<void> {
  for (const macro of MACROS) await connection.query(`create or replace temp macro ${macro}`);
}
