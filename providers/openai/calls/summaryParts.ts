/**
 * The material of a summary as one text, split at natural boundaries into parts that fit the model's context. Pure.
 */
import { wholeCharactersEnd } from '../../../domain/cutText.ts';
import type { SummaryInput } from '../../types.ts';

/** Maximum number of parts that are read of the material of one item. */
export const MAX_PARTS = 11;
/** Room for `[11/11] ` and the empty line between two notes. */
export const NUMBERING_CHARS = 10;
/** The context unless one is configured: any hosted model has it, and a local one with a 16k window. */
export const DEFAULT_CONTEXT_TOKENS = 16_000;
/** A server whose context is smaller than this fails. */
export const MIN_PART_CHARS = 1_000;
/** Tokens of the context for the instructions, the schema and the answer. */
const RESERVED_TOKENS = 4_000;
/** Russian has two to two and a half characters a token, English four. */
const CHARS_PER_TOKEN = 2;
/**
 * Characters of material in one call by default: about 9,600 tokens of Russian at the usual two and a half characters a
 * token, and 12,000 at two.
 */
export const DEFAULT_PART_CHARS = partCharsFor(DEFAULT_CONTEXT_TOKENS);

/** Returns how many characters of material fit in one call to a model with this context. */
export function partCharsFor(contextTokens: number): number {
  const left = Math.max(contextTokens - RESERVED_TOKENS, contextTokens / 4);
  return Math.max(MIN_PART_CHARS, Math.floor(left * CHARS_PER_TOKEN));
}

/**
 * Returns how many characters of material fit in a question with a list of topics, which takes room twice: in the
 * instructions and in the schema. The result is at least a quarter, because the context may be larger than configured.
 * @param chars room without topics
 */
export function roomBeside(topics: readonly string[], chars: number): number {
  if (topics.length === 0) return chars;
  const left = chars - 2 * JSON.stringify(topics).length;
  return Math.min(chars, Math.max(MIN_PART_CHARS, Math.floor(chars / 4), left));
}

/** Returns all data of an item under headings; absent parts have no heading. */
export function materialOf(input: SummaryInput): string {
  const sections = [
    section('Title', input.title),
    section('Description', input.description),
    section('Body', input.body),
    ...input.transcripts.map((text, index) => section(`Transcript ${index + 1}`, text)),
    section(
      'Frames',
      input.frames
        .map(frameLine)
        .filter((line) => line !== '-')
        .join('\n'),
    ),
  ].filter((text) => text !== '');
  return sections.length === 0 ? '' : [`# Type\n${input.type}`, ...sections].join('\n\n');
}

function section(name: string, text: string | null): string {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? '' : `# ${name}\n${trimmed}`;
}

function frameLine(frame: SummaryInput['frames'][number]): string {
  const ocr = frame.ocrText ? ` | text in the picture: ${frame.ocrText}` : '';
  const tags = frame.tags?.length ? ` | tags: ${frame.tags.join(', ')}` : '';
  return `- ${frame.description}${ocr}${tags}`.trim();
}

/**
 * Splits a text into parts of at most `maxChars` UTF-16 units, preferring the last paragraph, line, sentence or word
 * boundary in the second half of a part; never inside a surrogate pair.
 */
export function splitMaterial(text: string, maxChars: number): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.length - start <= maxChars ? text.length : cutBefore(text, start, start + maxChars);
    const part = text.slice(start, end).trim();
    if (part !== '') parts.push(part);
    start = end;
  }
  return parts;
}

function cutBefore(text: string, start: number, limit: number): number {
  const earliest = start + Math.floor((limit - start) / 2);
  // Searching the whole text for an edge that it lacks would go back to its beginning for each part.
  const half = text.slice(earliest, limit);
  for (const edge of ['\n\n', '\n', '. ', ' ']) {
    const found = half.lastIndexOf(edge);
    if (found !== -1) return earliest + found + edge.length;
  }
  // A part is never empty, even if not one character fits.
  return Math.max(start + 1, wholeCharactersEnd(text, limit));
}
