import { readFile, stat } from 'node:fs/promises';
import type { MediaLimits } from './limits.ts';
import type { Probe, ProbedStream } from './parseProbe.ts';

export const SUBTITLE_FILE = 'subtitles.vtt';

/** Subtitles that are text; the others (DVD, Blu-ray, DVB) are pictures. */
const TEXT_CODECS = new Set(['subrip', 'srt', 'mov_text', 'ass', 'ssa', 'webvtt', 'text']);
/** The fullest text: a forced track holds only signs and foreign lines, so it comes last. */
export function subtitleStream(found: Probe): ProbedStream | null {
  const texts = found.streams.filter((stream) => stream.type === 'subtitle' && TEXT_CODECS.has(stream.codec));
  return texts.find((text) => text.isDefault && !text.forced) ?? texts.find((text) => !text.forced) ?? texts[0] ?? null;
}

/**
 * The decoder itself stops at the size limit: a small file can name one cue a million times, or pack it, and unfold
 * to more than the disk holds. It looks after each cue, so the file may exceed the limit by one cue.
 */
export function subtitleOutputArgs(stream: ProbedStream, limits: MediaLimits): string[] {
  return [
    '-map',
    `0:${stream.index}`,
    '-c:s',
    'webvtt',
    '-map_metadata',
    '-1',
    '-fs',
    String(limits.subtitleBytes),
    '-f',
    'webvtt',
    SUBTITLE_FILE,
  ];
}

/** Judges the file that the decoder wrote: at least one cue, nothing, or more than subtitles of anything spoken. */
export async function judgeSubtitles(path: string, limits: MediaLimits): Promise<'cues' | 'none' | 'too_large'> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size >= limits.subtitleBytes) return 'too_large';
  return size > 0 && (await readFile(path, 'utf8')).includes('-->') ? 'cues' : 'none';
}
