/** Reads and checks the vectors of an embeddings answer. Pure. */
import { isRecord } from '../../../domain/isRecord.ts';
import { badAnswer } from '../calls/serverErrors.ts';

/**
 * Returns the vectors in the order of the inputs, L2-normalised.
 * @throws ProviderError `provider_bad_answer` if one is missing, duplicate, of a different size, not finite or zero: a
 * vector is never invented
 */
export function readVectors(body: unknown, count: number): Float32Array[] {
  const data = isRecord(body) ? body['data'] : undefined;
  if (!Array.isArray(data) || data.length !== count) throw badAnswer('it has the wrong number of vectors');
  const vectors = new Map<number, Float32Array>();
  for (const [position, entry] of (data as unknown[]).entries()) {
    if (!isRecord(entry)) throw badAnswer('a vector is missing');
    vectors.set(indexOf(entry['index'], position, count), normalise(numbersOf(entry['embedding'])));
  }
  const ordered = Array.from({ length: count }, (_, index) => vectors.get(index));
  const size = ordered[0]?.length;
  return ordered.map((vector) => {
    if (!vector || vector.length !== size) throw badAnswer('the vectors do not match the inputs');
    return vector;
  });
}

/** Some servers omit the index, but none of these reorders. */
function indexOf(value: unknown, position: number, count: number): number {
  if (value === undefined || value === null) return position;
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) >= count)
    throw badAnswer('a vector has a wrong index');
  return Number(value);
}

/** Returns numbers as requested, or from base64 of little-endian 32-bit floats that some servers send anyway. */
function numbersOf(value: unknown): Float64Array {
  if (typeof value === 'string') return decodeBase64(value);
  if (!Array.isArray(value) || value.length === 0) throw badAnswer('a vector has no numbers');
  if (!value.every((number) => typeof number === 'number'))
    throw badAnswer('a vector contains something other than numbers');
  return Float64Array.from(value as number[]);
}

function decodeBase64(value: string): Float64Array {
  const bytes = Buffer.from(/^[A-Za-z0-9+/]+={0,2}$/.test(value) ? value : '', 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) throw badAnswer('a vector is not valid base64');
  return Float64Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

function normalise(numbers: Float64Array): Float32Array {
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  if (!Number.isFinite(length) || length === 0) throw badAnswer('a vector has no length');
  return Float32Array.from(numbers, (number) => number / length);
}
