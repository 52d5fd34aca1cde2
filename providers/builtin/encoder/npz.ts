/**
 * Arrays of NumPy from an .npz file: a zip of .npy files
 * (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html, zip: APPNOTE.TXT of PKWARE).
 */
import { inflateRawSync } from 'node:zlib';

export interface Npz {
  /**
   * Returns the array of that name as bytes, row by row.
   * @throws RangeError if it is missing or its numbers are of another type
   */
  bytes(name: string): Uint8Array;
  /** Like `bytes`, for 32-bit floats. */
  floats(name: string): Float32Array;
}

interface Entry {
  method: number;
  packedBytes: number;
  bytes: number;
  /** Offset of its header within the file. */
  offset: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/**
 * Reads the list of arrays; each is unpacked when it is requested.
 * @throws RangeError if `file` is not such a file
 */
export function readNpz(file: Buffer): Npz {
  const entries = readEntries(file);
  const read = (name: string, type: string): Uint8Array => {
    const entry = entries.get(`${name}.npy`);
    if (entry === undefined) throw new RangeError(`there is no array ${name}`);
    return contentOf(unpack(file, entry), type, name);
  };
  return {
    bytes: (name) => read(name, '|u1'),
    floats: (name) => {
      const content = read(name, '<f4');
      // Copied, because floats must be aligned to four bytes.
      return new Float32Array(Uint8Array.from(content).buffer);
    },
  };
}

/** Reads the zip's central directory, which is at the end; our files have no comment after it. */
function readEntries(file: Buffer): Map<string, Entry> {
  const end = file.length - END_BYTES;
  if (end < 0 || file.readUInt32LE(end) !== END_SIGNATURE)
    throw new RangeError('the file of weights is not a zip file');
  const entries = new Map<string, Entry>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameBytes = file.readUInt16LE(at + 28);
    const name = file.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    entries.set(name, {
      method: file.readUInt16LE(at + 10),
      packedBytes: file.readUInt32LE(at + 20),
      bytes: file.readUInt32LE(at + 24),
      offset: file.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
}

function unpack(file: Buffer, { method, packedBytes, bytes, offset }: Entry): Buffer {
  const start = offset + LOCAL_BYTES + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  const packed = file.subarray(start, start + packedBytes);
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new RangeError(`the file of weights is packed by method ${method}`);
  return inflateRawSync(packed, { maxOutputLength: bytes, chunkSize: Math.max(bytes, 64) });
}

/** Ten bytes (magic number, version, length) precede a Python dictionary, and the numbers follow. */
function contentOf(npy: Buffer, type: string, name: string): Uint8Array {
  const headerBytes = npy.readUInt16LE(8);
  const header = npy.toString('latin1', 10, 10 + headerBytes);
  const found = /'descr': '([^']+)', 'fortran_order': False/.exec(header)?.[1];
  if (found !== type)
    throw new RangeError(`the array ${name} has the type ${found ?? 'of a different byte order'}, not ${type}`);
  return npy.subarray(10 + headerBytes);
}
