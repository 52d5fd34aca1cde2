/**
 * Whether bytes are what a recording's chunk is: gzip of a JSON array, of a size that a player can hold. How many bytes a
 * site may record in a day is another matter: domain/recordings.ts.
 */
import { once } from 'node:events';
import { createGunzip, type Gunzip } from 'node:zlib';

const MAGIC = Buffer.from([0x1f, 0x8b, 8]);
const OUTPUT_BYTES = 256 * 1024;
const [OPENS, CLOSES] = ['['.charCodeAt(0), ']'.charCodeAt(0)];

export type ChunkFault = 'not_gzip' | 'not_an_array' | 'too_large';

/**
 * Unpacks without keeping anything, and no further than `maxTextBytes`: a megabyte of gzip can stand for a thousand.
 * @returns what is wrong, or null
 */
export async function findChunkFault(bytes: Buffer, maxTextBytes: number): Promise<ChunkFault | null> {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return 'not_gzip';
  const gunzip = createGunzip({ chunkSize: OUTPUT_BYTES });
  gunzip.end(bytes);
  try {
    return await judge(gunzip, maxTextBytes);
  } catch (error) {
    if (isBroken(error)) return 'not_gzip';
    throw error;
  } finally {
    gunzip.destroy();
    if (!gunzip.closed) await once(gunzip, 'close');
  }
}

async function judge(gunzip: Gunzip, maxTextBytes: number): Promise<ChunkFault | null> {
  let size = 0;
  let [first, last]: (number | undefined)[] = [];
  for await (const piece of gunzip as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxTextBytes) return 'too_large';
    first ??= piece[0];
    last = piece.at(-1);
  }
  return first === OPENS && last === CLOSES ? null : 'not_an_array';
}

/** zlib's own words for what is no gzip, or not all of it. */
function isBroken(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('Z_')
  );
}
