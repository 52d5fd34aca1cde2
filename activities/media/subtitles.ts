import { readFile, stat, writeFile } from 'node:fs/promises';
import { isReadable } from './ffmpegInput.ts';
import type { MediaLimits } from './mediaLimits.ts';
import type { Probe, ProbedStream } from './parseProbe.ts';
import { decodeSubtitles } from './subtitleText.ts';

export const SUBTITLE_FILE = 'subtitles.vtt';

/**
 * Returns the most complete text track; null when none can be read. A forced one has only signs and foreign lines, so
 * it is the last choice.
 */
export function subtitleStream(found: Probe): ProbedStream | null {
  const texts = found.streams.filter((stream) => stream.type === 'subtitle' && isReadable(stream));
  return texts.find((text) => text.isDefault && !text.forced) ?? texts.find((text) => !text.forced) ?? texts[0] ?? null;
}

/** Passes bytes through that are not UTF-8: the decoder would leave out such cues. */
export const SUBTITLE_INPUT_ARGS = ['-sub_charenc_mode', 'ignore'];

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

/**
 * Classifies the file that the decoder wrote: at least one cue, nothing, too large to be subtitles of speech, or in an
 * unknown encoding. One in a known encoding is converted to UTF-8.
 */
export async function checkSubtitles(
  path: string,
  limits: MediaLimits,
): Promise<'cues' | 'none' | 'too_large' | 'unreadable'> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size >= limits.subtitleBytes) return 'too_large';
  const bytes = size > 0 ? await readFile(path) : Buffer.alloc(0);
  if (!bytes.includes('-->')) return 'none';
  const text = decodeSubtitles(bytes);
  if (text === null) return 'unreadable';
  await writeFile(path, text);
  return 'cues';
}
