import { readFile, stat } from 'node:fs/promises';
import { isReadable } from './ffmpegInput.ts';
import type { MediaLimits } from './limits.ts';
import type { Probe, ProbedStream } from './parseProbe.ts';

export const SUBTITLE_FILE = 'subtitles.vtt';

/** Returns the most complete text track: a forced one has only signs and foreign lines, so it is the last choice. */
export function subtitleStream(found: Probe): ProbedStream | null {
  const texts = found.streams.filter((stream) => stream.type === 'subtitle' && isReadable(stream));
  return texts.find((text) => text.isDefault && !text.forced) ?? texts.find((text) => !text.forced) ?? texts[0] ?? null;
}

/**
 * Makes the decoder itself stop at the size limit: a small file can repeat one cue a million times, or be compressed,
 * and expand to more than the disk holds. The limit is checked after each cue, so the file may exceed it by one cue.
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

/** Classifies the file that the decoder wrote: at least one cue, nothing, or too large to be subtitles of speech. */
export async function judgeSubtitles(path: string, limits: MediaLimits): Promise<'cues' | 'none' | 'too_large'> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size >= limits.subtitleBytes) return 'too_large';
  return size > 0 && (await readFile(path, 'utf8')).includes('-->') ? 'cues' : 'none';
}
