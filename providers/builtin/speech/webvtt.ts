/** Reads WebVTT (W3C candidate recommendation, 2019) as ffmpeg writes it from any text subtitle stream. */

export interface Cue {
  /** Seconds. */
  start: number;
  /** At or before the start in a malformed cue, which players do not show. */
  end: number;
  /** Lines without tags, entities resolved, none empty. */
  lines: string[];
  speaker: string | null;
}

const TIMING = /^(?:(\d{1,4}):)?(\d{2}):(\d{2})[.,](\d{1,3})\s+-->\s+(?:(\d{1,4}):)?(\d{2}):(\d{2})[.,](\d{1,3})/;
const VOICE = /<v(?:\.[^\s<>]{0,40})?\s{1,3}([^<>]{1,80})>/;
/** A screen holds far less; anything longer is not a caption. */
const MAX_LINES = 20;
const MAX_LINE_LENGTH = 4_000;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  quot: '"',
  apos: "'",
  lrm: '',
  rlm: '',
};

/**
 * Returns the cues in order of the file; blocks that are not cues (header, NOTE, STYLE, REGION) and cues without text
 * are skipped.
 */
export function parseWebVtt(text: string): Cue[] {
  const blocks = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/);
  return blocks.flatMap((block) => parseBlock(block.split('\n')));
}

/** Returns the language that the header of a file states, such as `de`; null if it states none. */
export function statedLanguage(text: string): string | null {
  return /^WEBVTT[^\n]{0,200}\nLanguage: ([a-z]{2,3})\n/.exec(text)?.[1] ?? null;
}

function parseBlock(lines: readonly string[]): Cue[] {
  const at = lines.findIndex((line) => TIMING.test(line));
  if (at < 0 || at > 1) return [];
  const match = TIMING.exec(lines[at] ?? '');
  if (match === null) return [];
  const start = seconds(match.slice(1, 5));
  const end = seconds(match.slice(5, 9));
  const body = lines.slice(at + 1, at + 1 + MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH));
  const cleaned = body.map(cleanLine).filter((line) => line !== '');
  if (cleaned.length === 0) return [];
  const voice = VOICE.exec(body.join(' '))?.[1];
  return [{ start, end, lines: cleaned, speaker: voice === undefined ? null : cleanLine(voice) || null }];
}

function seconds([hours, minutes, whole, fraction]: readonly (string | undefined)[]): number {
  return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(whole) + Number(`0.${fraction ?? 0}`);
}

/** Removes WebVTT tags, ASS override codes («{\an8}»), notes and dashes that only mark a change of speaker. */
function cleanLine(line: string): string {
  return line
    .replace(/<[^<>\n]{0,200}>/g, '')
    .replace(/\{\\[^{}\n]{0,200}\}|\\[Nnh]/g, ' ')
    .replace(/&(#\d{1,7}|[a-z]{2,5});/gi, (whole, name: string) => entity(name) ?? whole)
    .replace(/[♪♫]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[-–—]\s+/, '')
    .trim();
}

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()];
  const code = Number(name.slice(1));
  return code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '';
}
