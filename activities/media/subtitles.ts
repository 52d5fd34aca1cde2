import { readFile, stat } from 'node:fs/promises';
import type { Probe, ProbedStream } from './parseProbe.ts';

export const SUBTITLE_FILE = 'subtitles.vtt';

/** Subtitles that are text; the others (DVD, Blu-ray, DVB) are pictures. */
const TEXT_CODECS = new Set(['subrip', 'srt', 'mov_text', 'ass', 'ssa', 'webvtt', 'text']);
/** A day of speech is under 2 MB; beyond this a file is not subtitles of anything spoken. */
const LARGEST_BYTES = 8 * 1024 * 1024;

/** The fullest text: a forced track holds only signs and foreign lines, so it comes last. */
export function subtitleStream(found: Probe): ProbedStream | null {
  const texts = found.streams.filter((stream) => stream.type === 'subtitle' && TEXT_CODECS.has(stream.codec));
  return texts.find((text) => text.isDefault && !text.forced) ?? texts.find((text) => !text.forced) ?? texts[0] ?? null;
}

export function subtitleOutputArgs(stream: ProbedStream): string[] {
  return ['-map', `0:${stream.index}`, '-c:s', 'webvtt', '-map_metadata', '-1', '-f', 'webvtt', SUBTITLE_FILE];
}

/** Whether the written file holds at least one cue. */
export async function holdsCues(path: string): Promise<boolean> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0 || size > LARGEST_BYTES) return false;
  return (await readFile(path, 'utf8')).includes('-->');
}
