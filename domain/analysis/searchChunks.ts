/**
 * Search chunks: pieces of about 400 tokens that overlap by 15 %, cut at the boundaries of sentences or, for speech, of
 * transcript segments (then with their medium and times). Each frame of a video is a chunk of its own, so that a hit
 * leads to its second. Vectors that represent the item are shared by frames, so that each vector also covers about 400
 * tokens.
 */
import { wholeCharactersEnd } from '../cutText.ts';
import type { TranscriptSegment } from './results.ts';

export interface Chunk {
  mediumId: string | null;
  startSec: number | null;
  endSec: number | null;
  text: string;
  /** The text of the chunk's vector; null where the vector of an earlier chunk covers it. */
  vectorText: string | null;
  /** True for a frame of a video whose frames share vectors: it needs another vector, of its own text alone. */
  isShared?: true;
}

interface Piece {
  text: string;
  tokens: number;
  startSec: number | null;
  endSec: number | null;
}

/** Yields after every few milliseconds of work, for callers who have something else to run in between. */
export type InSlices<T> = Generator<undefined, T, void>;

const SEGMENTER = new Intl.Segmenter('ru', { granularity: 'sentence' });
/** Amount of work between two yields. */
const BLOCK_CHARACTERS = 16_384;
const CHUNKS_AT_A_TIME = 128;
const CHUNK_TOKENS = 400;
const OVERLAP_TOKENS = 60;
/** Maximum length of a sentence or segment; a longer one is cut at spaces. So no piece exceeds CHUNK_TOKENS. */
const MAX_PIECE_CHARACTERS = 800;

/** Cuts running text. */
export function chunkText(text: string): Chunk[] {
  return runToEnd(chunkTextInSlices(text));
}

/**
 * Does the same as `chunkText`, but yields: a million characters take a tenth of a second, during which nothing else
 * would run.
 */
export function* chunkTextInSlices(text: string): InSlices<Chunk[]> {
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
  return runToEnd(assemble(pieces, mediumId));
}

/** A picture with its text: a still image, or a frame of a video at a time in seconds. */
export interface CaptionedFrame {
  ts: number;
  text: string;
}

/**
 * Cuts the texts of one medium's frames. A frame lasts until the next one with a different text. The frames of a video
 * share vectors, because sixty captions of ten words would outweigh the item's title in its vector. Where they do, each
 * frame also has a vector of its own, by which a search by meaning finds its second.
 * @param isStill true when the medium is an image, which has no times
 * @param frames in time order
 */
export function chunkFrames(mediumId: string, isStill: boolean, frames: readonly CaptionedFrame[]): Chunk[] {
  const pieces = frames.flatMap(({ ts, text }, at) => {
    const [start, end] = isStill ? [null, null] : [ts, frames[at + 1]?.ts ?? ts];
    return splitLong(text.trim()).map((part) => toPiece(part, start, end));
  });
  if (isStill) return runToEnd(assemble(pieces, mediumId));
  const spans = runToEnd(spansOf(pieces));
  const textFrom = new Map(spans.map(({ start, end }) => [start, textOf(pieces.slice(start, end))]));
  const isShared = spans.length < pieces.length;
  return pieces.map((piece, at) => ({
    ...toChunk([piece], mediumId),
    vectorText: textFrom.get(at) ?? null,
    ...(isShared && { isShared }),
  }));
}

/** Returns true when each sentence of a text occurs in the source, as in a summary that only quotes it. */
export function isExtractive(text: string, source: string): boolean {
  return [...SEGMENTER.segment(text)].every(({ segment }) => source.includes(segment.trim()));
}

/**
 * Estimates the tokens of a text: byte-pair encoders use about one token for 4 Latin letters and for 2 Cyrillic ones.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let index = 0; index < text.length; index += 1) quarters += text.charCodeAt(index) < 0x250 ? 1 : 2;
  return Math.ceil(quarters / 4);
}

function runToEnd<T>(work: InSlices<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

function blockAt(text: string, start: number): string {
  return text.slice(start, wholeCharactersEnd(text, start + BLOCK_CHARACTERS));
}

/**
 * Returns the sentences that certainly end in the block, and their total length; a block that is a single sentence
 * counts as one.
 */
function wholeSentences(block: string, isLast: boolean): { sentences: string[]; length: number } {
  const segments = [...SEGMENTER.segment(block)];
  const rest = isLast || segments.length === 1 ? undefined : segments.pop();
  return { sentences: segments.map(({ segment }) => segment.trim()), length: rest?.index ?? block.length };
}

/** Returns parts of at most MAX_PIECE_CHARACTERS, none of them empty. */
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

/** Returns the last space that fits; without one it cuts within a word. */
function placeToCut(text: string): number {
  const space = text.lastIndexOf(' ', MAX_PIECE_CHARACTERS);
  return space > 0 ? space : wholeCharactersEnd(text, MAX_PIECE_CHARACTERS);
}

function toPiece(text: string, startSec: number | null, endSec: number | null): Piece {
  return { text, tokens: estimateTokens(text), startSec, endSec };
}

function* assemble(pieces: readonly Piece[], mediumId: string | null): InSlices<Chunk[]> {
  const spans = yield* spansOf(pieces);
  return spans.map(({ start, end }) => toChunk(pieces.slice(start, end), mediumId));
}

/** Returns which pieces form each chunk: from `start` up to, but not including, `end`. */
function* spansOf(pieces: readonly Piece[]): InSlices<{ start: number; end: number }[]> {
  const spans: { start: number; end: number }[] = [];
  let start = 0;
  while (start < pieces.length) {
    const end = endOfChunk(pieces, start);
    spans.push({ start, end });
    if (end >= pieces.length) break;
    if (spans.length % CHUNKS_AT_A_TIME === 0) yield;
    start = startOfNext(pieces, start, end);
  }
  return spans;
}

/** Takes at least one piece, then as many as fit. */
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

/** Goes back over the number of pieces that is nearest to the overlap, but always advances overall. */
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
  const text = textOf(pieces);
  return {
    mediumId,
    startSec: pieces[0]?.startSec ?? null,
    endSec: pieces.at(-1)?.endSec ?? null,
    text,
    vectorText: text,
  };
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join(' ');
}
