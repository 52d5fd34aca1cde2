/** The material of a summary as one text, split into parts at natural boundaries. Pure. */
import type { SummaryInput } from '../types.ts';

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
  for (const edge of ['\n\n', '\n', '. ', ' ']) {
    const found = text.lastIndexOf(edge, limit - edge.length);
    if (found >= earliest) return found + edge.length;
  }
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) && limit - start > 1;
  return splitsPair ? limit - 1 : limit;
}

/** Returns all parts, or `most` of them, evenly spaced and including the first and the last. */
export function pickParts(parts: string[], most: number): string[] {
  if (parts.length <= most) return parts;
  const step = (parts.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => parts[Math.round(index * step)] ?? '');
}
