/**
 * The text of an item as a moderator reads it, and the place of a passage in the item. The code that builds the text
 * and the code that looks up a place must agree on the order of the parts.
 */
import type { TranscriptSegment } from '../results.ts';

export const TEXT_PARTS = ['title', 'description', 'body', 'transcript', 'frame'] as const;

export interface ModeratedPart {
  part: (typeof TEXT_PARTS)[number];
  text: string;
  /** Set for a transcript and for a frame. */
  mediumId: string | null;
  /** Set for a frame: seconds from the beginning of the medium. */
  ts: number | null;
  /** Set for a transcript. */
  segments: readonly TranscriptSegment[];
}

export interface ModeratedTexts {
  title: string | null;
  description: string | null;
  body: string | null;
  transcripts: readonly { mediumId: string; text: string; segments: readonly TranscriptSegment[] }[];
  frames: readonly { mediumId: string; ts: number; ocrText: string | null }[];
}

/** A passage of a part. */
export interface TextPlace {
  part: ModeratedPart['part'];
  mediumId: string | null;
  /** When it is spoken or shown, in seconds; null when unknown. */
  ts: number | null;
  /** Position in the part, in UTF-16 units. */
  offset: number;
  length: number;
}

const BETWEEN = '\n\n';

/** Returns all text of the item, part by part. */
export function moderatedParts({ title, description, body, transcripts, frames }: ModeratedTexts): ModeratedPart[] {
  const parts: (Partial<Omit<ModeratedPart, 'text'>> & Pick<ModeratedPart, 'part'> & { text: string | null })[] = [
    { part: 'title', text: title },
    { part: 'description', text: description },
    { part: 'body', text: body },
    ...transcripts.map((transcript) => ({ part: 'transcript' as const, ...transcript })),
    ...frames.map(({ mediumId, ts, ocrText }) => ({ part: 'frame' as const, mediumId, ts, text: ocrText })),
  ];
  return parts.flatMap(({ part, text, mediumId = null, ts = null, segments = [] }) =>
    text?.trim() ? [{ part, text, mediumId, ts, segments }] : [],
  );
}

export function joinParts(parts: readonly ModeratedPart[]): string {
  return parts.map(({ text }) => text).join(BETWEEN);
}

/** Returns the place of a passage of the joined text; null when it begins in no part. @param offset in UTF-16 units */
export function placeIn(
  parts: readonly ModeratedPart[],
  { offset, length }: { offset: number; length: number },
): TextPlace | null {
  let start = 0;
  for (const { part, text, mediumId, ts, segments } of parts) {
    const within = offset - start;
    if (within < 0) return null;
    if (within < text.length) {
      const when = part === 'transcript' ? secondsAt(text, segments, within) : ts;
      return { part, mediumId, ts: when, offset: within, length: Math.min(length, text.length - within) };
    }
    start += text.length + BETWEEN.length;
  }
  return null;
}

/**
 * Returns when a character of a transcript is spoken: the text contains its segments in order. A segment that the text
 * does not contain is skipped.
 */
function secondsAt(text: string, segments: readonly TranscriptSegment[], offset: number): number | null {
  let seconds: number | null = null;
  let from = 0;
  for (const { text: said, start } of segments) {
    const at = said.trim() === '' ? -1 : text.indexOf(said.trim(), from);
    if (at === -1) continue;
    if (at > offset) break;
    seconds = start;
    from = at + said.trim().length;
  }
  return seconds;
}
