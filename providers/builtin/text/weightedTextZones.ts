/** The evidence of one item as zones: the kind of each text and the weight of its words. */
import { withWholeWords } from '../../../domain/items/wholeWords.ts';
import type { SummaryInput } from '../../types.ts';
import { beginningOf } from './hideContacts.ts';
import { withoutCode } from './withoutCode.ts';

export interface Zone {
  kind: 'title' | 'description' | 'body' | 'transcript' | 'ocr' | 'frame';
  text: string;
  /** Weight of a word for keywords, compared with a word of the body. */
  weight: number;
}

/** Maximum number of characters of evidence; the rest is left out with the warning `text_truncated`. */
export const MAX_CHARACTERS = 2_000_000;

const WEIGHTS: Readonly<Record<Zone['kind'], number>> = {
  title: 3,
  description: 2,
  body: 1,
  transcript: 1,
  ocr: 1,
  frame: 0.5,
};

/**
 * Returns zones in reading order, without program code and without empty ones. Frames of a still scene repeat their
 * texts, so each text is used once.
 */
export function zonesOf(input: SummaryInput): { zones: Zone[]; truncated: boolean } {
  const seen = new Set<string>();
  const zones: Zone[] = [];
  let left = MAX_CHARACTERS;
  let truncated = false;
  for (const [kind, raw] of evidence(input)) {
    const text = withWholeWords(withoutCode(raw ?? '')).trim();
    if (text === '' || seen.has(text)) continue;
    seen.add(text);
    truncated ||= text.length > left;
    if (left > 0) zones.push({ kind, text: beginningOf(text, left), weight: WEIGHTS[kind] });
    left = Math.max(0, left - text.length);
  }
  return { zones, truncated };
}

/**
 * Returns the texts of an item including program code, each once, within `MAX_CHARACTERS`: the age rating must not miss
 * words that are hidden in code.
 */
export function uncutTextOf(input: SummaryInput): string {
  return [...new Set([...evidence(input)].map(([, text]) => text?.trim() ?? ''))].join('\n').slice(0, MAX_CHARACTERS);
}

function* evidence(input: SummaryInput): Generator<[Zone['kind'], string | null]> {
  yield ['title', input.title];
  yield ['description', input.description];
  yield ['body', input.body];
  for (const transcript of input.transcripts) yield ['transcript', transcript];
  for (const frame of input.frames) yield ['ocr', frame.ocrText];
  for (const frame of input.frames) yield ['frame', frame.description];
}
