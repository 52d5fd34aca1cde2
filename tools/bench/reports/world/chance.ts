/** Random numbers for the benchmark's SQL, derived from their subjects, so that each run gets the same rows. */
import type { LakeConnection } from '../../../../reports/lake/connection.ts';

const MACROS = [
  // `what` separates the random values of one number. It is hashed once more, because DuckDB's hash of two values
  // combines them with a plain XOR.
  `random_of(what, number) as hash(xor(hash(what), number::UBIGINT))`,
  // From 0 up to, but not including, 1.
  `chance(what, number) as (random_of(what, number) >> 12)::DOUBLE / 4503599627370496.0`,
  // From 0 to count − 1, approximately Zipf-distributed: the share of k is ln((k + 2) / (k + 1)) / ln(count + 1).
  `zipf(what, number, count) as least(count - 1, floor(exp(chance(what, number) * ln(count + 1)))::BIGINT - 1)`,
  `below(what, number, count) as floor(chance(what, number) * count)::BIGINT`,
  `uuid_of(what, number) as md5(what || ' ' || number)::UUID`,
  // An element of a list that is sorted by popularity.
  `popular(what, number, list) as list[1 + zipf(what, number, len(list))]`,
];

export async function createChance(connection: LakeConnection): Promise<void> {
  for (const macro of MACROS) await connection.query(`create or replace temp macro ${macro}`);
}
