import { tmpdir } from 'node:os';
import { MediaError } from '../../mediaErrors.ts';
import { inputArgs, isReadable } from './ffmpegInput.ts';
import { decodingFault, runDecoder } from './ffmpegFaults.ts';
import { parseProbe, type Probe, type ProbedStream } from './parseProbe.ts';
import type { MediumContext } from '../medium/preparedMedium.ts';

/**
 * Reads the headers of a container: duration, streams, rotation.
 * @throws {MediaError} too_many_streams, and those of {@link runDecoder} and {@link decodingFault}
 */
export async function probe(context: MediumContext, demuxer: string): Promise<Probe> {
  const { limits } = context;
  context.onProgress({ stage: 'probe', doneSec: null });
  const result = await runDecoder({
    ffmpegPath: context.ffmpegPath,
    args: inputArgs(context.path, demuxer, limits),
    cwd: tmpdir(),
    timeoutMs: limits.probeMs,
    threads: limits.threads,
    memory: limits.memory,
    signal: context.signal,
  });
  const found = parseProbe(result.stderr);
  if (found === null) throw decodingFault(result);
  // Fonts for subtitles are attached by the dozen, and nothing decodes them.
  const streams = found.streams.filter(({ type }) => type !== 'attachment').length;
  if (streams > limits.streams) throw new MediaError('too_many_streams', String(streams));
  return found;
}

/**
 * Returns the video stream to use: the default one if it can be read, otherwise the first that can; null when none can.
 * A cover picture does not count.
 * @throws {MediaError} resolution_too_large
 */
export function videoStream(found: Probe, maxPixels: number): ProbedStream | null {
  const videos = found.streams.filter(
    (stream) => stream.type === 'video' && !stream.attachedPicture && isReadable(stream),
  );
  const chosen = videos.find((stream) => stream.isDefault) ?? videos[0] ?? null;
  if ((chosen?.width ?? 0) * (chosen?.height ?? 0) > maxPixels) {
    throw new MediaError('resolution_too_large', `${chosen?.width}x${chosen?.height}`);
  }
  return chosen;
}

/** Returns width and height as a player shows them. */
export function displaySize(stream: ProbedStream): { width: number | null; height: number | null } {
  const width = stream.width === null ? null : Math.max(1, Math.round(stream.width * stream.pixelAspect));
  return isRotated(stream) ? { width: stream.height, height: width } : { width, height: stream.height };
}

/** Returns true when a player rotates the picture by 90 or 270 degrees. */
export function isRotated({ rotationDeg }: Pick<ProbedStream, 'rotationDeg'>): boolean {
  return Math.abs(Math.round(rotationDeg / 90)) % 2 === 1;
}

/**
 * Measures the duration of a container that does not state it (a browser's recording, a raw AAC stream) by reading it
 * once without decoding.
 * @returns seconds, or null when even that yields no duration
 */
export async function measureDuration(
  context: MediumContext,
  demuxer: string,
  stream: ProbedStream,
): Promise<number | null> {
  const { limits } = context;
  let seconds = 0;
  await runDecoder({
    ffmpegPath: context.ffmpegPath,
    args: [
      ...inputArgs(context.path, demuxer, limits),
      '-map',
      `0:${stream.index}`,
      '-c',
      'copy',
      '-f',
      'null',
      '-progress',
      'pipe:1',
      '-nostats',
      '-',
    ],
    cwd: tmpdir(),
    timeoutMs: limits.extractMs,
    threads: limits.threads,
    memory: limits.memory,
    signal: context.signal,
    onLine: (line) => {
      seconds = Math.max(seconds, progressSeconds(line) ?? 0);
    },
  });
  return seconds > 0 ? seconds : null;
}

/** Returns the seconds in a line of ffmpeg's `-progress`, or null for its other lines. */
export function progressSeconds(line: string): number | null {
  const match = /^out_time_us=(\d+)$/.exec(line);
  return match === null ? null : Number(match[1]) / 1e6;
}
