/**
 * Checks whether bytes are a valid chunk of a recording: gzip of a JSON array, of a size that a player can hold. How
 * many bytes a site may record in a day is a separate matter: domain/recordings/recordingQuota.ts.
 */
import { once } from 'node:events';
import { createGunzip, type Gunzip } from 'node:zlib';

const MAGIC = Buffer.from([0x1f, 0x8b, 8]);
const OUTPUT_BYTES = 256 * 1024;
const [OPENS, CLOSES] = ['['.charCodeAt(0), ']'.charCodeAt(0)];

export type ChunkFault = 'not_gzip' | 'not_an_array' | 'too_large';

export interface ChunkLimits {
  maxTextBytes: number;
  /** Maximum size of the text to keep. */
  keptTextBytes: number;
}

/** @param text null when it is longer than the limit */
export type Inspected = { fault: ChunkFault } | { fault: null; text: string | null };

/** Decompresses with little memory, and no further than `maxTextBytes`: a megabyte of gzip can expand to a thousand. */
export async function inspectChunk(bytes: Buffer, limits: ChunkLimits): Promise<Inspected> {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return { fault: 'not_gzip' };
  const gunzip = createGunzip({ chunkSize: OUTPUT_BYTES });
  gunzip.end(bytes);
  try {
    return await inspect(gunzip, limits);
  } catch (error) {
    if (isBroken(error)) return { fault: 'not_gzip' };
    throw error;
  } finally {
    gunzip.destroy();
    if (!gunzip.closed) await once(gunzip, 'close');
  }
}

async function inspect(gunzip: Gunzip, { maxTextBytes, keptTextBytes }: ChunkLimits): Promise<Inspected> {
  let size = 0;
  let kept: Buffer[] = [];
  let [first, last]: (number | undefined)[] = [];
  for await (const piece of gunzip as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxTextBytes) return { fault: 'too_large' };
    if (size <= keptTextBytes) kept.push(piece);
    else kept = [];
    first ??= piece[0];
    last = piece.at(-1);
  }
  if (first !== OPENS || last !== CLOSES) return { fault: 'not_an_array' };
  return { fault: null, text: size <= keptTextBytes ? Buffer.concat(kept).toString() : null };
}

/** Returns true for zlib's error codes of invalid or incomplete gzip. */
function isBroken(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('Z_')
  );
}
