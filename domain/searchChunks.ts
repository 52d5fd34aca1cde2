/**
 * Search chunks: pieces of about 400 tokens that overlap by 15 %, cut at the edges of sentences or,
 * for speech and frames, of transcript segments and pictures (then with their medium and times).
 */
import type { TranscriptSegment } from './results.ts';

export interface Chunk {
  mediumId: string | null;
  startSec: number | null;
  endSec: number | null;
  text: string;
}

interface Piece {
  text: string;
  tokens: number;
  startSec: number | null;
  endSec: number | null;
}

/** Pauses after every few milliseconds of work, for whoever has something else to run meanwhile. */
export type Pausing<T> = Generator<undefined, T, void>;

const SEGMENTER = new Intl.Segmenter('ru', { granularity: 'sentence' });
/** Between two pauses. */
const BLOCK_CHARACTERS = 16_384;
const CHUNKS_AT_A_TIME = 128;
const CHUNK_TOKENS = 400;
const OVERLAP_TOKENS = 60;
/** No sentence or segment is longer; what is, is cut at spaces. So no piece is over CHUNK_TOKENS. */
const MAX_PIECE_CHARACTERS = 800;

/** Cuts running text. */
export function chunkText(text: string): Chunk[] {
  return withoutPause(chunkTextPausing(text));
}

/** As `chunkText`: a million characters take a tenth of a second, in which nothing else would run. */
export function* chunkTextPausing(text: string): Pausing<Chunk[]> {
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length;) {
    if (start > 0) yield;
    const block = blockAt(text, start);
    const whole = wholeSentences(block, start + block.length === text.length);
    for (const sentence of whole.sentences)
      pieces.push(...splitLong(sentence).map((part) => toPiece(part, null, null)));
    start += whole.length;
  }
  return yield* assemble(pieces, null);
}

/** Cuts a transcript at its segments. The parts of an overlong segment keep the times of the whole. */
export function chunkTranscript(mediumId: string, segments: readonly TranscriptSegment[]): Chunk[] {
  const pieces = segments.flatMap(({ text, start, end }) =>
    splitLong(text.trim()).map((part) => toPiece(part, start, end)),
  );
  return withoutPause(assemble(pieces, mediumId));
}

/** A picture with its words: a still image, or a frame of a video at a time in seconds. */
export interface SeenFrame {
  ts: number;
  text: string;
}

/**
 * Cuts what is seen on one medium at its frames. A frame lasts until the next one of another text.
 * @param isStill the medium is a picture, which has no times
 * @param frames in order of time
 */
export function chunkFrames(mediumId: string, isStill: boolean, frames: readonly SeenFrame[]): Chunk[] {
  const pieces = frames.flatMap(({ ts, text }, at) => {
    const [start, end] = isStill ? [null, null] : [ts, frames[at + 1]?.ts ?? ts];
    return splitLong(text.trim()).map((part) => toPiece(part, start, end));
  });
  return withoutPause(assemble(pieces, mediumId));
}

/**
 * Tokens of a text, estimated: byte-pair encoders spend about a token on 4 Latin letters and on 2
 * Cyrillic ones.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let index = 0; index < text.length; index += 1) quarters += text.charCodeAt(index) < 0x250 ? 1 : 2;
  return Math.ceil(quarters / 4);
}

function withoutPause<T>(work: Pausing<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The next characters, without half a one at the end. */
function blockAt(text: string, start: number): string {
  const block = text.slice(start, start + BLOCK_CHARACTERS);
  return block.length === BLOCK_CHARACTERS && isHalf(block, block.length - 1) ? block.slice(0, -1) : block;
}

/** The sentences that surely end in the block, and their length with it; a block that is one sentence counts as one. */
function wholeSentences(block: string, isLast: boolean): { sentences: string[]; length: number } {
  const segments = [...SEGMENTER.segment(block)];
  const rest = isLast || segments.length === 1 ? undefined : segments.pop();
  return { sentences: segments.map(({ segment }) => segment.trim()), length: rest?.index ?? block.length };
}

/** Parts of at most MAX_PIECE_CHARACTERS, none of them empty. */
function splitLong(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_PIECE_CHARACTERS) {
    const cut = placeToCut(rest);
    parts.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut);
  }
  return [...parts, rest.trim()].filter((part) => part !== '');
}

/** At the last space that fits; without one in mid-word, but not between the halves of a character. */
function placeToCut(text: string): number {
  const space = text.lastIndexOf(' ', MAX_PIECE_CHARACTERS);
  if (space > 0) return space;
  return isHalf(text, MAX_PIECE_CHARACTERS - 1) ? MAX_PIECE_CHARACTERS - 1 : MAX_PIECE_CHARACTERS;
}

/** Whether the first half of a character of two is there. */
function isHalf(text: string, index: number): boolean {
  return /[\uD800-\uDBFF]/.test(text.charAt(index));
}

function toPiece(text: string, startSec: number | null, endSec: number | null): Piece {
  return { text, tokens: estimateTokens(text), startSec, endSec };
}

function* assemble(pieces: readonly Piece[], mediumId: string | null): Pausing<Chunk[]> {
  const chunks: Chunk[] = [];
  let start = 0;
  while (start < pieces.length) {
    const end = endOfChunk(pieces, start);
    chunks.push(toChunk(pieces.slice(start, end), mediumId));
    if (end >= pieces.length) break;
    if (chunks.length % CHUNKS_AT_A_TIME === 0) yield;
    start = startOfNext(pieces, start, end);
  }
  return chunks;
}

/** At least one piece, then as many as fit. */
function endOfChunk(pieces: readonly Piece[], start: number): number {
  let tokens = 0;
  let end = start;
  for (const piece of pieces.slice(start, start + CHUNK_TOKENS)) {
    tokens += piece.tokens;
    if (tokens > CHUNK_TOKENS && end > start) break;
    end += 1;
  }
  return end;
}

/** Goes back over as many pieces as come nearest to the overlap, but always forward on the whole. */
function startOfNext(pieces: readonly Piece[], start: number, end: number): number {
  let tokens = 0;
  let next = end;
  while (next - 1 > start) {
    const more = tokens + (pieces[next - 1]?.tokens ?? 0);
    if (more - OVERLAP_TOKENS > OVERLAP_TOKENS - tokens) break;
    tokens = more;
    next -= 1;
  }
  return next;
}

function toChunk(pieces: readonly Piece[], mediumId: string | null): Chunk {
  return {
    mediumId,
    startSec: pieces[0]?.startSec ?? null,
    endSec: pieces.at(-1)?.endSec ?? null,
    text: pieces.map((piece) => piece.text).join(' '),
  };
}
