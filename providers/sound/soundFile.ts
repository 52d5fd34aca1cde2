/** ffmpeg runs for speech: one pass that measures loudness and silences, and the cutting of pieces. */
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { FfmpegError, runFfmpeg, type FfmpegResult, type FfmpegRun } from '../../platform/process/decoders/ffmpeg.ts';
import { ProviderError } from '../errors.ts';
import type { CallContext, Loudness, TimeSpan } from '../types.ts';
import { withProgress } from '../progress.ts';
import { PAUSE_FILTER } from './pauses.ts';

/** One-second windows of 16 kHz audio and their RMS level in dBFS, printed to standard output. */
const LEVEL_FILTER =
  'asetnsamples=n=16000:p=0,astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level,' +
  'ametadata=mode=print:key=lavfi.astats.Overall.RMS_level:file=-:direct=1';
const THREADS = 2;
const LIMITS = ['-nostats', '-threads', String(THREADS), '-filter_threads', '1'];
const INPUT = ['-protocol_whitelist', 'file,pipe', '-f', 'flac'];
const MIN_LIMIT_MS = 60_000;

/**
 * Measures a whole recording. It is read once, some 500 times faster than real time.
 * @param path mono 16 kHz FLAC
 * @throws as `runOnAudio`
 */
export async function measureAudio(ffmpegPath: string, path: string, context: CallContext): Promise<Loudness> {
  const filter = `aresample=16000,${PAUSE_FILTER},${LEVEL_FILTER}`;
  const args = [...INPUT, '-i', path, '-map', '0:a:0', '-af', filter, '-f', 'null', '-'];
  const levels: number[] = [];
  const silences: TimeSpan[] = [];
  let durationSec = 0;
  await runOnAudio({
    ffmpegPath,
    args: ['-loglevel', 'info', ...LIMITS, ...args],
    // The longest recording lasts four hours; the limit is a quarter of its length.
    timeoutMs: 3_600_000,
    access: { reads: [path], writes: [] },
    context,
    onLine: (line) => {
      const level = /RMS_level=(\S+)/.exec(line)?.[1];
      if (level !== undefined) levels.push(Number.isFinite(Number(level)) ? Number(level) : -Infinity);
    },
    onErrorLine: (line) => {
      readSilence(line, silences);
      durationSec = readTime(line) ?? durationSec;
    },
  });
  return {
    durationSec: durationSec || levels.length,
    levels,
    silences: silences.map((span) => ({ ...span, end: Math.min(span.end, durationSec || levels.length) })),
  };
}

/** A silence that lasts to the end of the recording may have no end line: it stays open. */
function readSilence(line: string, silences: TimeSpan[]): void {
  const start = /silence_start: (-?[\d.]+)/.exec(line)?.[1];
  if (start !== undefined) silences.push({ start: Math.max(0, Number(start)), end: Infinity });
  const end = /silence_end: ([\d.]+)/.exec(line)?.[1];
  const open = silences.at(-1);
  if (end !== undefined && open) open.end = Number(end);
}

/** Reads the measured length from the closing statistics: `time=00:10:00.00`. */
function readTime(line: string): number | null {
  const match = /\btime=(\d+):(\d+):(\d+(?:\.\d+)?)/.exec(line);
  return match ? Number(match[1]) * 3_600 + Number(match[2]) * 60 + Number(match[3]) : null;
}

/**
 * Writes one piece as mono 16 kHz 16-bit FLAC. FLAC exceeds the 32 kB a second of plain samples by its headers at most,
 * so ten minutes stay under 19 MiB.
 * @throws as `runOnAudio`
 */
export async function cutPiece(
  ffmpegPath: string,
  path: string,
  piece: TimeSpan,
  target: string,
  context: CallContext,
): Promise<void> {
  const format = ['-sample_fmt', 's16', '-map_metadata', '-1', '-c:a', 'flac', '-f', 'flac'];
  await writeSpan(ffmpegPath, { path, span: piece, format, target }, context);
}

/**
 * Writes one part as raw sound: 16,000 signed 16-bit numbers a second.
 * @throws as `runOnAudio`
 */
export async function decodePart(
  ffmpegPath: string,
  path: string,
  part: TimeSpan,
  target: string,
  context: CallContext,
): Promise<void> {
  const format = ['-c:a', 'pcm_s16le', '-f', 's16le', '-y'];
  await writeSpan(ffmpegPath, { path, span: part, format, target }, context);
}

interface Span {
  path: string;
  span: TimeSpan;
  /** Options of ffmpeg for the sound that is written. */
  format: readonly string[];
  target: string;
}

/** Writes a span of the recording as mono 16 kHz sound. @throws as `runOnAudio` */
async function writeSpan(
  ffmpegPath: string,
  { path, span, format, target }: Span,
  context: CallContext,
): Promise<void> {
  const length = span.end - span.start;
  const range = ['-ss', span.start.toFixed(3), '-t', length.toFixed(3)];
  const output = ['-map', '0:a:0', '-ac', '1', '-ar', '16000', ...format, target];
  await runOnAudio({
    ffmpegPath,
    args: ['-loglevel', 'error', ...LIMITS, ...INPUT, ...range, '-i', path, ...output],
    timeoutMs: Math.max(MIN_LIMIT_MS, length * 250),
    access: { reads: [path], writes: [dirname(target)] },
    context,
  });
}

type AudioRun = Omit<FfmpegRun, 'cwd' | 'threads' | 'signal'> & { context: CallContext };

/**
 * @throws ProviderError `audio_unreadable`, `audio_timeout`, `audio_interrupted` or `ffmpeg_missing`,
 *   or the signal's reason
 */
async function runOnAudio({ context, ...run }: AudioRun): Promise<void> {
  const result = await withProgress(context, () =>
    runFfmpeg({ ...run, cwd: tmpdir(), threads: THREADS, signal: context.signal }),
  ).catch((error: unknown) => {
    // A full disk is a fault of neither the audio nor the provider.
    if (!(error instanceof FfmpegError) || error.kind === 'storage_full') throw error;
    if (error.kind === 'timeout')
      throw new ProviderError('retryable', 'audio_timeout', 'Reading the audio took too long');
    if (error.kind === 'untried')
      throw new ProviderError('retryable', 'audio_interrupted', 'ffmpeg could not be tried on the worker');
    throw new ProviderError('permanent', 'ffmpeg_missing', 'ffmpeg cannot be started');
  });
  const fault = readingFault(result);
  if (fault) throw fault;
}

/** SIGKILL and SIGTERM from outside come from the kernel's memory killer or a shutdown; a crash would repeat. */
function readingFault({ exitCode, killedBy }: FfmpegResult): ProviderError | null {
  if (exitCode === 0) return null;
  if (killedBy === 'SIGKILL' || killedBy === 'SIGTERM')
    return new ProviderError('retryable', 'audio_interrupted', 'Reading the audio was interrupted');
  return new ProviderError('permanent', 'audio_unreadable', 'The audio cannot be read');
}
