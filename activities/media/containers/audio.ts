import { open } from 'node:fs/promises';
import { isReadable } from './ffmpegInput.ts';
import type { MediaLimits } from '../medium/mediaLimits.ts';
import type { Probe, ProbedStream } from './parseProbe.ts';

export const AUDIO_FILE = 'audio.flac';

/** Sample rate that speech models expect. */
const SAMPLE_RATE = 16_000;

/** Allowance for the header in the limit of a file's size. */
const HEADER_BYTES = 64 * 1024;

/**
 * Returns the audio stream to use: the default track if it can be read, otherwise the first that can; null when none
 * can.
 */
export function audioStream(found: Probe): ProbedStream | null {
  const tracks = found.streams.filter((stream) => stream.type === 'audio' && isReadable(stream));
  return tracks.find((track) => track.isDefault) ?? tracks[0] ?? null;
}

/** Bytes of a FLAC file up to the end of its sample count, a number of 36 bits (RFC 9639, section 8.2). */
const FLAC_HEAD = 26;

/** Returns true when the sound file exists and has samples. */
export async function holdsSound(path: string): Promise<boolean> {
  const file = await open(path).catch(() => null);
  if (file === null) return false;
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(FLAC_HEAD), 0, FLAC_HEAD, 0);
    return bytesRead === FLAC_HEAD && ((buffer[FLAC_HEAD - 5] ?? 0) % 16 > 0 || buffer.readUInt32BE(FLAC_HEAD - 4) > 0);
  } finally {
    await file.close();
  }
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
