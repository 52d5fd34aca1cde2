/**
 * Search chunks: pieces of about 400 tokens that overlap by 15 %, cut at the edges of sentences or,
 * for speech, of transcript segments (then with their times).
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
  startSec: number | null;
  endSec: number | null;
}

const CHUNK_TOKENS = 400;
const OVERLAP_TOKENS = 60;
/** No sentence is longer; what is, is cut at spaces. */
const MAX_PIECE_CHARACTERS = 800;

/** Cuts running text. */
export function chunkText(text: string): Chunk[] {
  return assemble(sentences(text).map((sentence) => ({ text: sentence, startSec: null, endSec: null })), null);
}

/** Cuts a transcript at its segments. */
export function chunkTranscript(mediumId: string, segments: readonly TranscriptSegment[]): Chunk[] {
  const pieces = segments.filter((segment) => segment.text.trim() !== '').map((segment) => ({ text: segment.text.trim(), startSec: segment.start, endSec: segment.end }));
  return assemble(pieces, mediumId);
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

function sentences(text: string): string[] {
  const found: string[] = [];
  for (const { segment } of new Intl.Segmenter('ru', { granularity: 'sentence' }).segment(text)) found.push(...splitLong(segment.trim()));
  return found.filter((sentence) => sentence !== '');
}

function splitLong(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_PIECE_CHARACTERS) {
    const space = rest.lastIndexOf(' ', MAX_PIECE_CHARACTERS);
    const cut = space > 0 ? space : MAX_PIECE_CHARACTERS;
    parts.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut);
  }
  return [...parts, rest.trim()];
}

function assemble(pieces: readonly Piece[], mediumId: string | null): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  while (start < pieces.length) {
    const end = endOfChunk(pieces, start);
    chunks.push(toChunk(pieces.slice(start, end), mediumId));
    if (end >= pieces.length) break;
    start = startOfNext(pieces, start, end);
  }
  return chunks;
}

/** At least one piece, then as many as fit. */
function endOfChunk(pieces: readonly Piece[], start: number): number {
  let tokens = 0;
  let end = start;
  for (const piece of pieces.slice(start, start + CHUNK_TOKENS)) {
    tokens += estimateTokens(piece.text);
    if (tokens > CHUNK_TOKENS && end > start) break;
    end += 1;
  }
  return end;
}

/** Goes back over the pieces that fit the overlap, but always forward on the whole. */
function startOfNext(pieces: readonly Piece[], start: number, end: number): number {
  let tokens = 0;
  let next = end;
  while (next - 1 > start) {
    tokens += estimateTokens(pieces[next - 1]?.text ?? '');
    if (tokens > OVERLAP_TOKENS) break;
    next -= 1;
  }
  return next;
}

function toChunk(pieces: readonly Piece[], mediumId: string | null): Chunk {
  return { mediumId, startSec: pieces[0]?.startSec ?? null, endSec: pieces.at(-1)?.endSec ?? null, text: pieces.map((piece) => piece.text).join(' ') };
}
