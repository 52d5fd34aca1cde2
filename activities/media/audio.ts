import type { MediaLimits } from './limits.ts';
import type { Probe, ProbedStream } from './parseProbe.ts';

export const AUDIO_FILE = 'audio.flac';

/** Sample rate of speech models, required by media.md. */
const SAMPLE_RATE = 16_000;

/** Allowance for the header in the limit of a file's size. */
const HEADER_BYTES = 64 * 1024;

/** A FLAC file without samples is only a header (86 bytes here); anything audible is longer. */
export const EMPTY_FLAC_BYTES = 512;

/** Returns the audio stream to use: the default track. */
export function audioStream(found: Probe): ProbedStream | null {
  const tracks = found.streams.filter((stream) => stream.type === 'audio' && stream.codec !== 'none');
  return tracks.find((track) => track.isDefault) ?? tracks[0] ?? null;
}

/**
 * Returns the arguments for the sound: mono 16 kHz FLAC. Silence fills a late start and gaps, so that a time in the
 * file equals the time in the medium and the transcript lines up with the frames.
 */
export function audioOutputArgs(stream: ProbedStream, limits: MediaLimits): string[] {
  return [
    '-map',
    `0:${stream.index}`,
    '-af',
    `aresample=${SAMPLE_RATE}:async=1:first_pts=0`,
    '-ac',
    '1',
    '-c:a',
    'flac',
    '-sample_fmt',
    's16',
    '-t',
    String(limits.durationSec),
    '-fs',
    String(limits.durationSec * limits.audioBytesPerSec + HEADER_BYTES),
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    '-f',
    'flac',
    AUDIO_FILE,
  ];
}
