/** Runs the media decoder in its own process, isolated from this process's secrets as far as the machine allows. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { chown, lstat, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  confine,
  layersFoundOnce,
  strongestLayers,
  InconclusiveTrialError,
  type Access,
  type Layer,
} from '../../platform/process/decoders/confinement.ts';
import { limitsMemory, MINIMAL_ENVIRONMENT, PRLIMIT } from '../../platform/process/decoders/decoderPrefix.ts';
import { assertExecutable } from '../../platform/process/decoders/ffmpeg.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { withWorkFolder } from '../../platform/disk/workDir.ts';
import type { DecoderRequest } from './decoderMessages.ts';
import { parseReply, type DecoderReply } from './decoderReply.ts';
import { readLines } from './decoderLines.ts';
import { MediaError } from '../mediaErrors.ts';
import type { AnalyseOptions, PreparedMedium } from './medium/preparedMedium.ts';

const ROOT = join(import.meta.dirname, '../..');
const ENTRY = join(import.meta.dirname, 'decoder.ts');
/** All parts of the program that the decoder loads. If one were missing, every trial with Landlock would fail. */
export const DECODER_PROGRAM: readonly string[] = [
  'activities/media',
  'activities/mediaErrors.ts',
  'domain/analysis/analysedDuration.ts',
  'platform/disk',
  'platform/process',
  'node_modules',
  'package.json',
];
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=512'];
/** Time after which a process that no longer responds is ended. Each stage has a shorter limit, an hour at most. */
const MAX_MS = 90 * 60_000;
const TRIAL_MS = 20_000;
/** Time that a decoder has to end its own child after it was told to stop. */
const STOP_GRACE_MS = 2_000;
const STDERR_KEPT = 4_000;
/** Maximum length of a reply in characters: several times that of one about 1,000 frames. */
const MAX_REPLY = 1_000_000;

export type DecodeMedium = (options: Omit<AnalyseOptions, 'ffmpegPath'>) => Promise<PreparedMedium>;

/** Programs and time limits that tests replace. */
export interface DecoderOptions {
  /** File of the process that decodes, and its time limit, ms. */
  entry?: string;
  timeoutMs?: number;
  /** File of the process that tries the confinement, and its time limit, ms. */
  trial?: { entry: string; timeoutMs: number };
  /** Path of the program that limits ffmpeg's memory. */
  prlimit?: string;
}

/**
 * Determines once which confinement this machine allows, and logs it. While that cannot be determined (the disk is
 * full, a trial took too long, or ffmpeg is missing), nothing is decoded. Warns where ffmpeg is missing, or its memory
 * has no limit.
 * @param workDir folder of the media being processed; each medium's decoder can write only to its own folder
 * @returns a function like `analyseMedium`, with the same errors; `outDir` is a folder beside or below the medium's
 * file
 */
export async function createDecoder(
  ffmpegPath: string,
  workDir: string,
  logger: Logger,
  {
    entry = ENTRY,
    timeoutMs = MAX_MS,
    trial = { entry: ENTRY, timeoutMs: TRIAL_MS },
    prlimit = PRLIMIT,
  }: DecoderOptions = {},
): Promise<DecodeMedium> {
  await assertExecutable(ffmpegPath).catch(() =>
    logger.warn({ ffmpegPath }, 'ffmpeg cannot be run, so no medium is decoded: FFMPEG_PATH has to name the program'),
  );
  const foundOnce = layersFoundOnce();
  const find = async (): Promise<readonly Layer[] | null> => {
    const found = await findLayers(ffmpegPath, workDir, trial);
    if (found === null) logger.warn('the confinement of decoders cannot be tried; trying again before the next medium');
    else if (found.length === 0)
      logger.warn({ layers: found }, 'decoders run unconfined: this machine has no means to confine them');
    else logger.info({ layers: found }, 'decoders are confined');
    return found;
  };
  await foundOnce(find);
  if (!(await limitsMemory(prlimit))) logger.warn(`ffmpeg has no memory limit: ${prlimit} cannot be run`);
  return async ({ signal = new AbortController().signal, onProgress, ...request }) => {
    const layers = await foundOnce(find);
    if (layers === null) throw new MediaError('decoder_unavailable', 'the confinement could not be tried');
    const reply = await runDecoderProcess(
      { layers, entry, timeoutMs },
      { ...request, ffmpegPath },
      signal,
      (received) => {
        if ('progress' in received) onProgress?.(received.progress);
      },
    );
    if (!('prepared' in reply)) throw new MediaError('decode_failed', 'the decoder gave no answer');
    await assertPlainFiles(request.outDir, reply.prepared);
    return reply.prepared;
  };
}

/** Faults of a trial that say nothing about its layers. */
const INCONCLUSIVE_FAULTS: ReadonlySet<string> = new Set([
  'processing_timeout',
  'processing_interrupted',
  'storage_full',
]);

async function findLayers(
  ffmpegPath: string,
  workDir: string,
  trial: NonNullable<DecoderOptions['trial']>,
): Promise<readonly Layer[] | null> {
  const never = new AbortController().signal;
  // Each trial gets its own folder: one that was handed over to another user is closed to the next trial.
  return await strongestLayers((layers) =>
    withWorkFolder(workDir, async (folder) => {
      const outDir = join(folder, 'out');
      await mkdir(outDir);
      const request: DecoderRequest = { kind: 'trial', path: join(folder, 'medium'), outDir, ffmpegPath };
      const reply = await runDecoderProcess({ layers, ...trial }, request, never, () => undefined).catch(
        (error: unknown) => {
          if (!(error instanceof MediaError)) throw error;
          // By the code of its cause, strongestLayers recognises that the machine merely had no process or memory left.
          throw INCONCLUSIVE_FAULTS.has(error.code) ? new InconclusiveTrialError(error.code) : (error.cause ?? error);
        },
      );
      if (!('works' in reply)) throw new Error('the trial run gave an unexpected answer');
    }),
  );
}

function accessOf({ path, outDir, ffmpegPath }: DecoderRequest): Access {
  return {
    reads: [...DECODER_PROGRAM.map((part) => join(ROOT, part)), process.execPath, dirname(ffmpegPath)],
    writes: [dirname(path), outDir],
  };
}

interface DecoderRun {
  layers: readonly Layer[];
  entry: string;
  timeoutMs: number;
}

/**
 * Runs the decoder's process once; resolves with its last reply after it has exited.
 * @throws {MediaError} the error that it replied, or the one that its exit means
 * @throws the signal's reason
 */
async function runDecoderProcess(
  { layers, entry, timeoutMs }: DecoderRun,
  request: DecoderRequest,
  signal: AbortSignal,
  onReply: (reply: DecoderReply) => void,
): Promise<DecoderReply> {
  signal.throwIfAborted();
  const { prefix, owner } = confine(layers, accessOf(request));
  if (owner !== null) await chownToDecoder(request, owner);
  const [command = '', ...args] = [...prefix, process.execPath, ...FLAGS, entry];
  const child = spawn(command, args, {
    cwd: request.outDir,
    detached: true,
    env: { ...MINIMAL_ENVIRONMENT, TMPDIR: request.outDir },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The process may exit before it has read its request; the exit handler reports that.
  child.stdin.on('error', () => undefined).write(`${JSON.stringify(request)}\n`);
  return await supervise(child, signal, timeoutMs, onReply);
}

/** Hands the medium and the decoder's folders over to its user; the folders above stay closed to it. */
async function chownToDecoder({ path, outDir }: DecoderRequest, owner: number): Promise<void> {
  for (const each of [dirname(path), path, outDir]) {
    await chown(each, owner, owner).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

async function supervise(
  child: ChildProcessWithoutNullStreams,
  signal: AbortSignal,
  timeoutMs: number,
  onReply: (reply: DecoderReply) => void,
): Promise<DecoderReply> {
  const received: { last: DecoderReply | null; stderr: string } = { last: null, stderr: '' };
  let isEndless = false;
  const onLine = (line: string): void => {
    const reply = parseReply(line);
    if (reply === null) return;
    received.last = reply;
    onReply(reply);
  };
  readLines(child.stdout, MAX_REPLY, onLine, () => {
    isEndless = true;
    killGroup(child);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    received.stderr = (received.stderr + chunk.toString('utf8')).slice(-STDERR_KEPT);
  });
  const end = () => endProcess(child);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, timeoutMs);
  signal.addEventListener('abort', end, { once: true });
  try {
    const killedBy = await untilClosed(child);
    signal.throwIfAborted();
    if (isEndless) throw new MediaError('decode_failed', `a reply is longer than ${MAX_REPLY} characters`);
    // A process that has answered may hang at its exit; its work is done.
    if (timedOut && !isAnswer(received.last))
      throw new MediaError('processing_timeout', `no answer within ${timeoutMs} ms`);
    return replyOf(received.last, killedBy, received.stderr);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    killGroup(child);
  }
}

/**
 * Closes the decoder's input, which tells it to stop with all its children, and kills a process that does not comply.
 */
function endProcess(child: ChildProcessWithoutNullStreams): void {
  child.stdin.end();
  const timer = setTimeout(() => killGroup(child), STOP_GRACE_MS);
  child.once('close', () => clearTimeout(timer));
}

function killGroup({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}

function untilClosed(child: ChildProcessWithoutNullStreams): Promise<NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new MediaError('decoder_unavailable', error.message, { cause: error })));
    child.once('close', (_, killedBy) => resolve(killedBy));
  });
}

function isAnswer(reply: DecoderReply | null): reply is Exclude<DecoderReply, { progress: unknown }> {
  return reply !== null && !('progress' in reply);
}

/**
 * Judges the end of the process. SIGKILL and SIGTERM from outside mean the kernel's OOM killer or a shutdown; a crash
 * would recur.
 */
function replyOf(last: DecoderReply | null, killedBy: NodeJS.Signals | null, stderr: string): DecoderReply {
  if (last !== null && 'error' in last) throw new MediaError(last.error.code, last.error.detail);
  if (isAnswer(last)) return last;
  const isInterrupted = killedBy === 'SIGKILL' || killedBy === 'SIGTERM';
  throw new MediaError(isInterrupted ? 'processing_interrupted' : 'decode_failed', `${killedBy ?? 'exit'}: ${stderr}`);
}

/**
 * Refuses links: a compromised decoder could leave links to files that it may not read itself, for this process to
 * read.
 */
async function assertPlainFiles(outDir: string, { audio, subtitles, chapters, frames }: PreparedMedium): Promise<void> {
  const names = [audio, subtitles, chapters, ...frames.map(({ file }) => file)].filter((name) => name !== null);
  for (const name of names) {
    const found = await lstat(join(outDir, name)).catch(() => null);
    if (!found?.isFile() || found.nlink !== 1) throw new MediaError('decode_failed', `${name} is not a regular file`);
  }
}
