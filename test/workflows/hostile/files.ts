/** Files of a few kilobytes that claim or hide much, written byte by byte. */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** Returns pseudo-random bytes, the same in every run (a linear congruential generator). */
export function noise(length: number): Buffer {
  let state = 71;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

/** Returns a chunk of a PNG with its length and checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** Inserts a chunk after the header of a PNG. */
export function withPngChunk(png: Buffer, chunk: Buffer): Buffer {
  const headerEnd = 33;
  return Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]);
}

/** Returns a GIF of square pages, each of which paints one pixel. */
export function gifOf(side: number, pages: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(side, 6);
  head.writeUInt16LE(side, 8);
  // A pause, a one-pixel image at the corner, two bits a code: clear, white, end.
  const page = Buffer.from('21f904000a0000002c0000000001000100000202440100', 'hex');
  return Buffer.concat([head, ...Array.from({ length: pages }, () => page), Buffer.from(';')]);
}

/** Returns a TIFF of one strip whose header claims a square of `side` pixels. */
export function tiffOf(side: number): Buffer {
  const tags = [
    [256, 4, side],
    [257, 4, side],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 8],
    [277, 3, 1],
    [278, 4, side],
    [279, 4, 16],
  ];
  const directory = Buffer.alloc(2 + tags.length * 12 + 4);
  directory.writeUInt16LE(tags.length, 0);
  for (const [at, [tag = 0, type = 0, value = 0]] of tags.entries()) {
    directory.writeUInt16LE(tag, 2 + at * 12);
    directory.writeUInt16LE(type, 4 + at * 12);
    directory.writeUInt32LE(1, 6 + at * 12);
    directory.writeUInt32LE(value, 10 + at * 12);
  }
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
  const strip = Buffer.alloc(16, 0x7f);
  head.writeUInt32LE(head.length + strip.length, 4);
  return Buffer.concat([head, strip, directory]);
}

let zeros: { packed: Buffer; crc: number; length: number } | undefined;

/** 100 MB of zeros, compressed once for all inputs that contain them. */
function zerosOf100Mb(): NonNullable<typeof zeros> {
  if (zeros === undefined) {
    const content = Buffer.alloc(100 * 1024 * 1024);
    zeros = { packed: deflateRawSync(content), crc: crc32(content), length: content.length };
  }
  return zeros;
}

/** Returns 100 MB of zeros, packed by gzip. */
export function gzipOfZeros(): Buffer {
  const { packed, crc, length } = zerosOf100Mb();
  const head = gzipSync(Buffer.alloc(0)).subarray(0, 10);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc, 0);
  end.writeUInt32LE(length, 4);
  return Buffer.concat([head, packed, end]);
}

/** Returns an archive with one file of 100 MB of zeros. */
export function zipOfZeros(name: string): Buffer {
  return archiveOf(name, zerosOf100Mb());
}

/** Returns an archive with one file. */
export function zipOf(name: string, content: Buffer): Buffer {
  return archiveOf(name, { packed: deflateRawSync(content), crc: crc32(content), length: content.length });
}

function archiveOf(name: string, { packed, crc, length }: NonNullable<typeof zeros>): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(length, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\0', 'latin1'),
    fields,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

/** Rewrites an MP4's headers to claim that it lasts `seconds` seconds, whatever it contains. */
export function lasting(mp4: Buffer, seconds: number): Buffer {
  const changed = Buffer.from(mp4);
  // Both begin with version and flags, two times, timescale and duration.
  for (const [box, duration, scale] of [
    ['mvhd', 20, 16],
    ['mdhd', 20, 16],
  ] as const)
    for (let at = changed.indexOf(box); at !== -1; at = changed.indexOf(box, at + 4))
      changed.writeUInt32BE(Math.min(0xfffffffe, seconds * changed.readUInt32BE(at + scale)), at + duration);
  return changed;
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value >>> 0);
  return buffer;
}
