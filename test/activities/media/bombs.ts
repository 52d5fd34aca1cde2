/** Small files whose subtitles expand to many times their size when a decoder writes them out. */
import { deflateSync } from 'node:zlib';

const PARENTS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

interface Box {
  type: string;
  body: Buffer;
}

/**
 * Takes an MP4 with a text track whose first cue begins at 0, and changes its chunk table to list the one chunk
 * `times` times: each four bytes of the table repeat the whole cue.
 * @param mp4 with its index at the end, so that a longer index moves nothing
 */
export function repeatSubtitleChunk(mp4: Buffer, times: number): Buffer {
  return Buffer.concat(boxesOf(mp4).map((box) => writeBox(box.type === 'moov' ? repeatIn(box, times) : box)));
}

function repeatIn(moov: Box, times: number): Box {
  const body = boxesOf(moov.body).map((box) => {
    const isText = box.type === 'trak' && box.body.includes('tx3g');
    return writeBox(isText ? repeatInTrack(box, times) : box);
  });
  return { type: 'moov', body: Buffer.concat(body) };
}

function repeatInTrack(box: Box, times: number): Box {
  if (!PARENTS.has(box.type)) return { type: box.type, body: sampleTable(box, times) ?? box.body };
  // An edit list would end the track where its first cue ended.
  const inner = boxesOf(box.body).filter(({ type }) => type !== 'edts');
  return { type: box.type, body: Buffer.concat(inner.map((one) => writeBox(repeatInTrack(one, times)))) };
}

/** Returns the sample tables, each in its shortest form, with the size of the largest original sample. */
function sampleTable({ type, body }: Box, times: number): Buffer | null {
  switch (type) {
    case 'stts':
      return words(0, 1, times, 1);
    case 'stsz':
      return words(0, largestSample(body), times);
    case 'stsc':
      return words(0, 1, 1, 1, 1);
    case 'stco':
      return Buffer.concat([words(0, times), Buffer.alloc(times * 4, words(body.readUInt32BE(8)))]);
    default:
      return null;
  }
}

function largestSample(stsz: Buffer): number {
  const sizes = Array.from({ length: stsz.readUInt32BE(8) }, (_, at) => stsz.readUInt32BE(12 + at * 4));
  return stsz.readUInt32BE(4) || Math.max(...sizes);
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => buffer.writeUInt32BE(value, at * 4));
  return buffer;
}

function boxesOf(data: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= data.length;) {
    const size = data.readUInt32BE(at);
    boxes.push({ type: data.toString('latin1', at + 4, at + 8), body: data.subarray(at + 8, at + size) });
    at += size;
  }
  return boxes;
}

function writeBox({ type, body }: Box): Buffer {
  return Buffer.concat([words(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/**
 * Returns a Matroska file with a second of silence and `cues` cues, each of `characters` characters compressed by
 * zlib.
 */
export function packedSubtitles(cues: number, characters: number): Buffer {
  const packed = deflateSync(Buffer.concat([Buffer.from('0,0,Default,,0,0,0,,'), Buffer.alloc(characters, 'word ')]), {
    level: 9,
  });
  const sound = element(0xa3, Buffer.concat([Buffer.from([0x81, 0, 0, 0x80]), Buffer.alloc(16_000)]));
  const groups = Array.from({ length: cues }, (_, at) => {
    const head = Buffer.from([0x82, 0, 0, 0]);
    head.writeInt16BE(at, 1);
    return element(0xa0, element(0xa1, Buffer.concat([head, packed])), number(0x9b, 1));
  });
  const compression = element(0x5034, number(0x4254, 0));
  const encodings = element(
    0x6d80,
    element(0x6240, number(0x5031, 0), number(0x5032, 1), number(0x5033, 0), compression),
  );
  const audio = element(0xe1, element(0xb5, float(8000)), number(0x9f, 1), number(0x6264, 16));
  return Buffer.concat([
    element(
      0x1a45dfa3,
      number(0x4286, 1),
      element(0x4282, Buffer.from('matroska')),
      number(0x4287, 4),
      number(0x4285, 2),
    ),
    element(
      0x18538067,
      element(0x1549a966, number(0x2ad7b1, 1_000_000), element(0x4489, float(1000))),
      element(
        0x1654ae6b,
        element(
          0xae,
          number(0xd7, 1),
          number(0x73c5, 1),
          number(0x83, 2),
          element(0x86, Buffer.from('A_PCM/INT/LIT')),
          audio,
        ),
        element(
          0xae,
          number(0xd7, 2),
          number(0x73c5, 2),
          number(0x83, 17),
          element(0x86, Buffer.from('S_TEXT/ASS')),
          encodings,
        ),
      ),
      element(0x1f43b675, number(0xe7, 0), sound, ...groups),
    ),
  ]);
}

/** Returns an EBML element: its id as written in the specification, a length of eight bytes, its content. */
function element(id: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const hex = id.toString(16);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(0x0100000000000000n | BigInt(body.length));
  return Buffer.concat([Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'), length, body]);
}

function number(id: number, value: number): Buffer {
  return element(id, words(value));
}

function float(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleBE(value);
  return buffer;
}
