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
/** No sentence or segment is longer; what is, is cut at spaces. So no piece is over CHUNK_TOKENS. */
const MAX_PIECE_CHARACTERS = 800;

/** Cuts running text. */
export function chunkText(text: string): Chunk[] {
  return assemble(sentences(text).map((sentence) => ({ text: sentence, startSec: null, endSec: null })), null);
}

/** Cuts a transcript at its segments. The parts of an overlong segment keep the times of the whole. */
export function chunkTranscript(mediumId: string, segments: readonly TranscriptSegment[]): Chunk[] {
  const pieces = segments.flatMap(({ text, start, end }) => splitLong(text.trim()).map((part) => ({ text: part, startSec: start, endSec: end })));
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
  return found;
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
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(MAX_PIECE_CHARACTERS - 1));
  return isHalf ? MAX_PIECE_CHARACTERS - 1 : MAX_PIECE_CHARACTERS;
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

/** Goes back over as many pieces as come nearest to the overlap, but always forward on the whole. */
function startOfNext(pieces: readonly Piece[], start: number, end: number): number {
  let tokens = 0;
  let next = end;
  while (next - 1 > start) {
    const more = tokens + estimateTokens(pieces[next - 1]?.text ?? '');
    if (more - OVERLAP_TOKENS > OVERLAP_TOKENS - tokens) break;
    tokens = more;
    next -= 1;
  }
  return next;
}

function toChunk(pieces: readonly Piece[], mediumId: string | null): Chunk {
  return { mediumId, startSec: pieces[0]?.startSec ?? null, endSec: pieces.at(-1)?.endSec ?? null, text: pieces.map((piece) => piece.text).join(' ') };
}
