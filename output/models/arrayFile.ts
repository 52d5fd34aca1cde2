/**
 * Files of typed arrays. All numbers are little-endian, 4 bytes each.
 *
 * - 16 bytes: what kind of file it is (four letters), the version of this form, the bytes of the head, and 0;
 * - the head, JSON in UTF-8 with spaces up to a multiple of 4;
 * - the arrays one after the other: 32-bit integers or floats, as whoever wrote them knows;
 * - SHA-256 of all before it.
 */
import { createHash } from 'node:crypto';

/** The bytes are no such file, or none that this version reads. */
export class ArrayFileError extends Error {
  override readonly name = 'ArrayFileError';
}

const VERSION = 1;
const START_BYTES = 16;
const DIGEST_BYTES = 32;
export const MAX_FILE_BYTES = 1 << 30;

/** Four letters. */
export type FileKind = 'ATIM' | 'ATIX' | 'ATCO';

/** @throws {ArrayFileError} for more than {@link MAX_FILE_BYTES} */
export function encodeArrays(kind: FileKind, head: object, arrays: readonly (Uint32Array | Float32Array)[]): Buffer {
  const json = JSON.stringify(head);
  const headBytes = Buffer.from(json + ' '.repeat((4 - (Buffer.byteLength(json) % 4)) % 4));
  const start = Buffer.alloc(START_BYTES);
  start.write(kind, 'latin1');
  start.writeUInt32LE(VERSION, 4);
  start.writeUInt32LE(headBytes.length, 8);
  const chunks = [start, headBytes, ...arrays.map(bytesOf)];
  const size = chunks.reduce((sum, { length }) => sum + length, DIGEST_BYTES);
  if (size > MAX_FILE_BYTES) throw new ArrayFileError(`a file of ${size} bytes is too large`);
  const digest = createHash('sha256');
  for (const chunk of chunks) digest.update(chunk);
  return Buffer.concat([...chunks, digest.digest()], size);
}

export interface ArrayFile {
  /** As it was written: whoever reads it says of what form it is. */
  head: unknown;
  /** The next array, a view of the file. @throws {ArrayFileError} when the file ends before */
  integers(length: number): Uint32Array;
  floats(length: number): Float32Array;
}

/**
 * @param file must not change afterwards
 * @throws {ArrayFileError} when it is not whole, or something else
 */
export function decodeArrays(kind: FileKind, file: Buffer): ArrayFile {
  const bytes = aligned(file);
  if (bytes.length < START_BYTES + DIGEST_BYTES || bytes.toString('latin1', 0, 4) !== kind)
    throw new ArrayFileError('this is another kind of file');
  if (bytes.readUInt32LE(4) !== VERSION) throw new ArrayFileError('a file of another version');
  const body = bytes.subarray(0, bytes.length - DIGEST_BYTES);
  if (!createHash('sha256').update(body).digest().equals(bytes.subarray(body.length)))
    throw new ArrayFileError('the file is damaged');
  const headEnd = START_BYTES + bytes.readUInt32LE(8);
  let next = headEnd;
  /** @returns where it begins in the buffer */
  const take = (length: number): number => {
    const begin = next;
    next += length * 4;
    if (next > body.length) throw new ArrayFileError('the file ends too early');
    return body.byteOffset + begin;
  };
  return {
    head: JSON.parse(body.toString('utf8', START_BYTES, headEnd)),
    integers: (length) => new Uint32Array(body.buffer, take(length), length),
    floats: (length) => new Float32Array(body.buffer, take(length), length),
  };
}

/** Typed arrays over a buffer begin at multiples of 4. */
function aligned(file: Buffer): Buffer {
  if (file.byteOffset % 4 === 0) return file;
  const copy = Buffer.from(new ArrayBuffer(file.length));
  file.copy(copy);
  return copy;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
