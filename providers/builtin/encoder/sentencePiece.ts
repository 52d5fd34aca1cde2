/**
 * Reads a SentencePiece model (https://github.com/google/sentencepiece/blob/master/src/sentencepiece_model.proto): its
 * pieces with their scores, and the table that normalises text. It is a protobuf message, read field by field.
 */

export interface SentencePieceModel {
  pieces: string[];
  /** Natural logarithms of the pieces' probabilities. */
  scores: Float32Array;
  /** See `charsmap.ts`. */
  charsmap: Buffer;
}

const FIELDS = { piece: 1, normalizer: 3, pieceText: 1, pieceScore: 2, charsmap: 2 } as const;
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** @throws RangeError if the file is not such a model */
export function readSentencePieceModel(file: Buffer): SentencePieceModel {
  const pieces: string[] = [];
  const scores: number[] = [];
  let charsmap: Buffer | undefined;
  for (const part of fieldsOf(file, { start: 0, end: file.length })) {
    if (part.field === FIELDS.piece) {
      const piece = readPiece(file, part);
      pieces.push(piece.text);
      scores.push(piece.score);
    } else if (part.field === FIELDS.normalizer) {
      charsmap = readCharsmap(file, part);
    }
  }
  if (pieces.length === 0 || charsmap === undefined) throw new RangeError('the vocabulary contains no pieces');
  return { pieces, scores: Float32Array.from(scores), charsmap };
}

function readPiece(file: Buffer, message: Extent): { text: string; score: number } {
  let text = '';
  let score = 0;
  for (const { field, start, end } of fieldsOf(file, message)) {
    if (field === FIELDS.pieceText) text = file.toString('utf8', start, end);
    else if (field === FIELDS.pieceScore) score = file.readFloatLE(start);
  }
  return { text, score };
}

function readCharsmap(file: Buffer, message: Extent): Buffer | undefined {
  for (const { field, start, end } of fieldsOf(file, message))
    if (field === FIELDS.charsmap) return Buffer.from(file.subarray(start, end));
  return undefined;
}

/** A range of bytes; the end is exclusive. */
interface Extent {
  start: number;
  end: number;
}

/** Yields one field after another: a model has 128,000, and none of them is kept. */
function* fieldsOf(file: Buffer, message: Extent): Generator<Extent & { field: number }> {
  for (let at = message.start; at < message.end;) {
    const tag = readVarint(file, at);
    const { start, end } = extentOf(file, tag.value & 7, tag.end);
    yield { field: tag.value >>> 3, start, end };
    at = end;
  }
}

function extentOf(file: Buffer, wire: number, at: number): Extent {
  switch (wire) {
    case WIRE.varint:
      return { start: at, end: readVarint(file, at).end };
    case WIRE.fixed64:
      return { start: at, end: at + 8 };
    case WIRE.fixed32:
      return { start: at, end: at + 4 };
    case WIRE.bytes: {
      const length = readVarint(file, at);
      return { start: length.end, end: length.end + length.value };
    }
    default:
      throw new RangeError('the vocabulary cannot be read');
  }
}

/** Values over 31 bits lose their upper bits: lengths and tags are shorter, and no other value is used. */
function readVarint(file: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  let at = start;
  for (let shift = 0; ; shift += 7) {
    const byte = file[at];
    if (byte === undefined) throw new RangeError('the vocabulary ends too early');
    at += 1;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end: at };
  }
}
