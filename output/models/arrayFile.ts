/**
 * Files of typed arrays. All numbers are little-endian, 4 bytes each.
 * - 16 bytes: the kind of file (four letters), the version of the format, the length of the head in bytes, and 0;
 * - the head: JSON in UTF-8, padded with spaces to a multiple of 4;
 * - the arrays one after the other: 32-bit integers or floats; the reader has to know which;
 * - the SHA-256 digest of everything before it.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** The bytes are not such a file, or have a version that this program cannot read. */
export class ArrayFileError extends Error {
  override readonly name = 'ArrayFileError';
}

const VERSION = 1;
const START_BYTES = 16;
const DIGEST_BYTES = 32;
export const MAX_FILE_BYTES = 1 << 30;

/** Four letters at the start of a file that name its kind. */
export type FileKind = 'ATIM' | 'ATIX' | 'ATCO';

/** Encodes the head and the arrays as a file. @throws {ArrayFileError} when it would exceed {@link MAX_FILE_BYTES} */
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

/** A file that was hashed while it arrived. */
export interface ReceivedFile {
  bytes: Buffer;
  /** The hash of everything but the last {@link DIGEST_BYTES}. */
  digest: Buffer;
}

/**
 * Receives a file piece by piece, so that nothing in the process waits for the hash of a hundred megabytes.
 * @throws {ArrayFileError} when there are more or fewer bytes than announced
 */
export async function receiveFile({ stream, size }: { stream: Readable; size: number }): Promise<ReceivedFile> {
  const bytes = Buffer.from(new ArrayBuffer(size));
  const digest = createHash('sha256');
  const bodyEnd = size - DIGEST_BYTES;
  let received = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (received + piece.length > size) throw new ArrayFileError('the file is longer than announced');
    bytes.set(piece, received);
    digest.update(piece.subarray(0, Math.max(0, bodyEnd - received)));
    received += piece.length;
  }
  if (received < size) throw new ArrayFileError('the file ends too early');
  return { bytes, digest: digest.digest() };
}

export interface ArrayFile {
  /** The head as it was written; the reader has to check its shape. */
  head: unknown;
  /** Returns the next array, a view of the file. @throws {ArrayFileError} when the file ends too early */
  integers(length: number): Uint32Array;
  floats(length: number): Float32Array;
}

/**
 * Decodes a file and checks its digest.
 * @param file must not change afterwards
 * @throws {ArrayFileError} when the file is incomplete, or of another kind
 */
export function decodeArrays(kind: FileKind, file: Buffer): ArrayFile {
  const body = file.subarray(0, Math.max(0, file.length - DIGEST_BYTES));
  return decodeReceived(kind, { bytes: file, digest: createHash('sha256').update(body).digest() });
}

/** Does the same for a file that was hashed already. */
export function decodeReceived(kind: FileKind, file: ReceivedFile): ArrayFile {
  const bytes = aligned(file.bytes);
  if (bytes.length < START_BYTES + DIGEST_BYTES || bytes.toString('latin1', 0, 4) !== kind)
    throw new ArrayFileError('the file is of a different kind');
  if (bytes.readUInt32LE(4) !== VERSION) throw new ArrayFileError('the file has an unsupported version');
  const body = bytes.subarray(0, bytes.length - DIGEST_BYTES);
  if (!file.digest.equals(bytes.subarray(body.length))) throw new ArrayFileError('the file is damaged');
  const headEnd = START_BYTES + bytes.readUInt32LE(8);
  let next = headEnd;
  /** @returns the offset in the buffer where the array begins */
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

/** Returns the file at an offset that is a multiple of 4, as typed arrays require; copies it if necessary. */
function aligned(file: Buffer): Buffer {
  if (file.byteOffset % 4 === 0) return file;
  const copy = Buffer.from(new ArrayBuffer(file.length));
  file.copy(copy);
  return copy;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
