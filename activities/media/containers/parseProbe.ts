/**
 * Parses the output of `ffmpeg -i` about an input, which is the only description available from a package with ffmpeg
 * but without ffprobe. The lines are those of libavformat's `av_dump_format`.
 */
export type StreamType = 'video' | 'audio' | 'subtitle' | 'data' | 'attachment' | 'unknown';

export interface ProbedStream {
  index: number;
  type: StreamType;
  codec: string;
  /** The code of ISO 639-1, or of ISO 639-2 for a language that has none there; null if the container states none. */
  language: string | null;
  /** Coded size, before rotation. */
  width: number | null;
  height: number | null;
  /** Width of a pixel divided by its height. */
  pixelAspect: number;
  fps: number | null;
  /** Counter-clockwise, a multiple of 90 in practice. */
  rotationDeg: number;
  /** True for a cover picture, which is not a video. */
  attachedPicture: boolean;
  isDefault: boolean;
  forced: boolean;
}

export interface Probe {
  /** Null when the container does not say. */
  durationSec: number | null;
  streams: ProbedStream[];
  /** The chapters of the container that have a title, in its order. */
  chapters: ProbedChapter[];
}

export interface ProbedChapter {
  /** Seconds from the start of the medium. */
  start: number;
  title: string;
}

// Exactly two spaces: values of tags are indented deeper, so a title cannot pass for a stream.
const STREAM = /^ {2}Stream #0:(\d+)(?:\[0x[0-9a-f]+\])?(?:\(([^)]*)\))?: (\w+): (.*)$/;
const DURATION = /^ {2}Duration: (?:(\d+):(\d{2}):(\d{2}(?:\.\d+)?)|N\/A)/;
// Its case and space depend on the version.
const ROTATION = /^ {6,}display ?matrix: rotation of (-?\d+(?:\.\d+)?) degrees/i;
const CHAPTER = /^ {4}Chapter #0:\d+: start (-?\d+(?:\.\d+)?), end /;
const CHAPTER_TITLE = /^ {8}title +: (.*)$/;
/** A further line of a tag's value. */
const TAG_CONTINUATION = /^ {20,}: (.*)$/;
const TYPES: Readonly<Record<string, StreamType>> = {
  Video: 'video',
  Audio: 'audio',
  Subtitle: 'subtitle',
  Data: 'data',
  Attachment: 'attachment',
};

/**
 * @returns null when the text describes no input or contradicts itself: a tag's name (not its value) may contain a line
 * break and so forge a line, but it cannot remove the true one.
 */
export function parseProbe(stderr: string): Probe | null {
  const lines = stderr.split(/\r?\n/);
  const durations = lines.filter((line) => DURATION.test(line));
  if (!lines.some((line) => line.startsWith('Input #0, ')) || durations.length > 1) return null;
  if (contradicts(lines)) return null;
  const streams = new Map(readStreams(lines).map((stream) => [stream.index, stream]));
  return {
    durationSec: readDuration(durations[0]),
    streams: [...streams.values()].toSorted((a, b) => a.index - b.index),
    chapters: readChapters(lines),
  };
}

/**
 * Returns true when two lines describe one stream differently. A stream that belongs to several programs (MPEG-TS) is
 * listed identically with each.
 */
function contradicts(lines: readonly string[]): boolean {
  const seen = new Map<string, string>();
  for (const line of lines) {
    const index = STREAM.exec(line)?.[1];
    if (index === undefined) continue;
    if (seen.has(index) && seen.get(index) !== line) return true;
    seen.set(index, line);
  }
  return false;
}

function readDuration(line: string | undefined): number | null {
  const match = line === undefined ? null : DURATION.exec(line);
  if (match?.[1] === undefined) return null;
  const seconds = Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]);
  return seconds > 0 ? seconds : null;
}

function readStreams(lines: readonly string[]): ProbedStream[] {
  const streams: ProbedStream[] = [];
  for (const line of lines) {
    const match = STREAM.exec(line);
    if (match !== null) streams.push(readStream(match));
    const rotation = ROTATION.exec(line);
    const last = streams.at(-1);
    if (rotation !== null && last !== undefined) last.rotationDeg = Number(rotation[1]);
  }
  return streams;
}

/** Returns the chapters that have a title; recorders and editors also divide by time only. */
function readChapters(lines: readonly string[]): ProbedChapter[] {
  const chapters: ProbedChapter[] = [];
  for (const [at, line] of lines.entries()) {
    const start = CHAPTER.exec(line)?.[1];
    if (start !== undefined) chapters.push({ start: Math.max(0, Number(start)), title: '' });
    const last = chapters.at(-1);
    if (last === undefined) continue;
    if (STREAM.test(line)) break;
    const title = CHAPTER_TITLE.exec(line)?.[1];
    if (title !== undefined) last.title = [title, ...restOfTag(lines, at + 1)].join(' ').trim();
  }
  return chapters.filter(({ title }) => title !== '');
}

/** Returns the further lines of a tag's value, from a line on. */
function restOfTag(lines: readonly string[], from: number): string[] {
  const rest: string[] = [];
  for (let at = from; ; at += 1) {
    const more = TAG_CONTINUATION.exec(lines[at] ?? '')?.[1];
    if (more === undefined) return rest;
    rest.push(more);
  }
}

/**
 * A container may state a different aspect ratio from the codec. The container's ratio is printed last, and is the one
 * that players use.
 */
function readPixelAspect(description: string): number {
  const [, width = '1', height = '1'] = [...description.matchAll(/\bSAR (\d{1,9}):(\d{1,9}) DAR /g)].at(-1) ?? [];
  const aspect = Number(width) / Number(height);
  return aspect > 0 && Number.isFinite(aspect) ? aspect : 1;
}

/** Codes of ISO 639-2 that name no single language: several, uncoded, none, undetermined, and those for private use. */
const NO_LANGUAGE = /^(?:mul|mis|zxx|und|q[a-t][a-z])$/;

/** Returns a language by its code, which may be one of several for the same language (`de`, `deu`, `ger`). */
function readLanguage(tag: string | undefined): string | null {
  if (tag === undefined || !/^[a-z]{2,3}$/i.test(tag)) return null;
  const [code = 'und'] = Intl.getCanonicalLocales(tag);
  return NO_LANGUAGE.test(code) ? null : code;
}

function readStream([, index, language, type = '', description = '']: RegExpExecArray): ProbedStream {
  const size = /, (\d{1,6})x(\d{1,6})(?=[ ,]|$)/.exec(description);
  const fps = /, (\d+(?:\.\d+)?)(k?) fps\b/.exec(description);
  return {
    index: Number(index),
    type: TYPES[type] ?? 'unknown',
    codec: /^\w+/.exec(description)?.[0] ?? 'none',
    language: readLanguage(language),
    width: size === null ? null : Number(size[1]),
    height: size === null ? null : Number(size[2]),
    pixelAspect: readPixelAspect(description),
    fps: fps === null ? null : Number(fps[1]) * (fps[2] === 'k' ? 1000 : 1),
    rotationDeg: 0,
    attachedPicture: description.includes('(attached pic)'),
    isDefault: description.includes('(default)'),
    forced: description.includes('(forced)'),
  };
}
