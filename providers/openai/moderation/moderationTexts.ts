/** Scores a text in chunks as small, and in requests with as few of them, as the server requires. */
import type { CallContext } from '../../types.ts';
import { InputTooLargeError } from '../calls/serverErrors.ts';
import type { LearnedSize } from '../calls/learnedSize.ts';
import { readScores, type Finding, type TextRange } from './moderationLevels.ts';
import { splitMaterial } from '../calls/summaryParts.ts';

/** A server that reads less than this of a text fails. */
const MIN_CHARS = 100;

/** How much a server reads, learned from all items. */
export interface ModerationSizes {
  /** Characters of one chunk. */
  chars: LearnedSize;
  /** Chunks in one request. */
  chunks: LearnedSize;
}

/** Returns one result for each text, in its order. */
export type ScoreTexts = (
  texts: string[],
  context: CallContext,
) => Promise<{ results: unknown[]; requestId: string | null }>;

interface Chunk {
  text: string;
  where: TextRange;
}

/** The sizes of one run, which fall when the server refuses. */
interface Limits {
  chars: number;
  chunks: number;
  /** Tokens of a chunk that the server says it reads; null: it named none. */
  named: number | null;
}

interface Scored {
  results: { result: unknown; where: TextRange }[];
  requestId: string | null;
}

/**
 * Scores a text. A request that is too large is halved, and so is a chunk that is too large alone; nothing is left out.
 * @returns the findings, with the number of the chunk from 0 and its place in the text
 */
export async function scoreText(
  score: ScoreTexts,
  sizes: ModerationSizes,
  text: string,
  context: CallContext,
): Promise<{ findings: Finding[]; requestId: string | null }> {
  const atFirst: Limits = { chars: sizes.chars.current(), chunks: sizes.chunks.current(), named: null };
  const limits = { ...atFirst };
  const chunks = chunksOf({ text, where: { offset: 0, length: text.length } }, limits.chars);
  const { results, requestId } = await scoreAll(chunks);
  learn(sizes, { chunks, item: context.item }, atFirst, limits);
  const findings = results.flatMap(({ result, where }, chunk) => readScores(result, { kind: 'text', chunk, where }));
  return { findings, requestId };

  async function scoreAll(given: readonly Chunk[]): Promise<Scored> {
    const left = [...given];
    const scored: Scored = { results: [], requestId: null };
    while (left.length > 0) {
      const next = left.splice(0, limits.chunks).flatMap((chunk) => chunksOf(chunk, limits.chars));
      const { results: more, requestId: id } = await scoreWithin(next);
      scored.results.push(...more);
      scored.requestId = id;
    }
    return scored;
  }

  async function scoreWithin(chunks: readonly Chunk[]): Promise<Scored> {
    if (chunks.length > limits.chunks) return scoreAll(chunks);
    try {
      const texts = chunks.map((chunk) => chunk.text);
      const answer = await score(texts, context);
      const results = chunks.map(({ where }, at) => ({ result: answer.results[at], where }));
      return { results, requestId: answer.requestId };
    } catch (error) {
      if (!(error instanceof InputTooLargeError)) throw error;
      return chunks.length > 1 ? scoreHalves(chunks) : scoreInShorterChunks(chunks, error);
    }
  }

  /** The request or one of its chunks was too large. */
  async function scoreHalves(chunks: readonly Chunk[]): Promise<Scored> {
    const { chars } = limits;
    const half = Math.ceil(chunks.length / 2);
    const left = await scoreAll(chunks.slice(0, half));
    const right = await scoreAll(chunks.slice(half));
    // If no chunk was too large (`chars` is unchanged), the request was.
    if (limits.chars === chars) limits.chunks = Math.min(limits.chunks, half);
    return { results: [...left.results, ...right.results], requestId: right.requestId };
  }

  async function scoreInShorterChunks(chunks: readonly Chunk[], error: InputTooLargeError): Promise<Scored> {
    const length = Math.max(...chunks.map(({ text: one }) => one.length));
    if (length / 2 < MIN_CHARS) throw error;
    const { limitTokens } = error;
    limits.named = limitTokens ?? limits.named;
    limits.chars = Math.ceil(Math.min(length / 2, Math.max(MIN_CHARS, limitTokens ?? Infinity)));
    return scoreAll(chunks);
  }
}

/** Splits a chunk; between the parts is only white space. */
function chunksOf({ text, where }: Chunk, mostChars: number): Chunk[] {
  let from = 0;
  return splitMaterial(text, mostChars).map((part) => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    return { text: part, where: { offset: where.offset + at, length: part.length } };
  });
}

/** Remembers what a run shows about the server. */
function learn(
  sizes: ModerationSizes,
  { chunks, item }: { chunks: readonly Chunk[]; item: string | undefined },
  given: Limits,
  limits: Limits,
): void {
  const longest = Math.max(0, ...chunks.map(({ text }) => text.length));
  if (limits.chars === given.chars) sizes.chars.worked(Math.min(longest, limits.chars));
  // Not less than the named number: this text may have needed shorter chunks only because it has few characters per
  // token.
  else if (limits.named !== null && limits.named < given.chars)
    sizes.chars.limited(Math.max(limits.chars, limits.named));
  else sizes.chars.refused({ item, read: limits.chars });
  if (limits.chunks === given.chunks) sizes.chunks.worked(Math.min(chunks.length, limits.chunks));
  else sizes.chunks.refused({ item, read: limits.chunks });
}
