/** The only code that runs ffmpeg. The caller decides what a failure means. */
import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  confine,
  layersFoundOnce,
  strongestLayers,
  InconclusiveTrialError,
  type Access,
  type Layer,
} from './confinement.ts';
import { decoderPrefix, memoryPrefix, MINIMAL_ENVIRONMENT } from './decoderPrefix.ts';

type Child = ChildProcessByStdio<null, Readable, Readable>;

export interface FfmpegRun {
  /** Absolute path of the program. */
  ffmpegPath: string;
  /** Complete arguments; `-nostdin -hide_banner -y` and the CPU limit are added. */
  args: readonly string[];
  cwd: string;
  /** Wall-clock timeout, ms. */
  timeoutMs: number;
  /** Number of threads that `args` request; the CPU limit follows from it. */
  threads: number;
  signal: AbortSignal;
  /** Limit of its memory, bytes. */
  memory?: number;
  /**
   * When given, the run is confined to these files. Otherwise it runs as this process does, which is confined itself.
   */
  access?: Access;
  /** Called with each whole line of standard output (ffmpeg's `-progress`). */
  onLine?: (line: string) => void;
  /** Called with each whole line of standard error, including those for which the result has no room. */
  onErrorLine?: (line: string) => void;
}

export interface FfmpegResult {
  exitCode: number | null;
  /** The signal that ended it, never one sent by this process: those throw. */
  killedBy: NodeJS.Signals | null;
  /** The first and last part of standard error. */
  stderr: string;
}

/**
 * There is no result: it timed out, never ran (`untried`: for a reason that may pass), or had no space to write.
 * `message` may quote paths of this machine.
 */
export class FfmpegError extends Error {
  override readonly name = 'FfmpegError';
  readonly kind: 'timeout' | 'unavailable' | 'untried' | 'storage_full';

  constructor(kind: FfmpegError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Amount of standard error kept: the head holds the stream table, the tail the reason of a failure. */
const STDERR_PART = 128 * 1024;
/**
 * ffmpeg's message when its output finds no space. It may exit successfully with what it has written by then: sound
 * that stops in the middle, a file without subtitles.
 */
const DISK_FULL = /No space left on device|Disk quota exceeded/;
const TRIAL_MS = 20_000;
const execute = promisify(execFile);
/** Maximum length of a line; no relevant line is longer. */
const MAX_LINE = 4096;

/**
 * Runs ffmpeg without a shell, in a process group and an environment of its own, and kills the group on abort, at the
 * timeout and when this process exits. Resolves only after the process has ended.
 * @throws the signal's reason on abort
 * @throws {FfmpegError}
 */
export async function runFfmpeg(run: FfmpegRun): Promise<FfmpegResult> {
  await assertExecutable(run.ffmpegPath);
  const launcher = run.access === undefined ? await decoderPrefix() : await confinedPrefix(run.ffmpegPath, run.access);
  const prefix = [...launcher, ...(await memoryPrefix(run.memory))];
  run.signal.throwIfAborted();
  const [command = run.ffmpegPath, ...args] = [...prefix, run.ffmpegPath, ...guards(run), ...run.args];
  const child = spawn(command, args, {
    cwd: run.cwd,
    detached: true,
    // The environment is minimal, because ffmpeg reads untrusted files and this process's environment holds keys.
    env: { ...MINIMAL_ENVIRONMENT, AV_LOG_FORCE_NOCOLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return await supervise(child, run);
}

const layersOf = new Map<string, ReturnType<typeof layersFoundOnce>>();

/**
 * Finds out once for each program which confinement this machine allows, and warns if it allows none. The next call
 * tries again if the program could not be tried.
 */
async function confinedPrefix(ffmpegPath: string, access: Access): Promise<readonly string[]> {
  const trial = async (layers: readonly Layer[]): Promise<void> => {
    const [command = '', ...args] = [...confine(layers, accessTo(ffmpegPath, access)).prefix, ffmpegPath, '-version'];
    await execute(command, args, { env: MINIMAL_ENVIRONMENT, timeout: TRIAL_MS }).catch((error: unknown) => {
      throw wasKilled(error) ? new InconclusiveTrialError('the trial was killed', { cause: error }) : error;
    });
  };
  const foundOnce = layersOf.get(ffmpegPath) ?? layersFoundOnce();
  layersOf.set(ffmpegPath, foundOnce);
  const layers = await foundOnce(async () => {
    const found = await strongestLayers(trial, false);
    if (found?.length === 0) process.emitWarning(`${ffmpegPath} runs unconfined: nothing on this machine confines it`);
    return found;
  });
  if (layers === null) throw new FfmpegError('untried', 'the program could not be tried, with or without confinement');
  return layers.length === 0 ? await decoderPrefix() : confine(layers, accessTo(ffmpegPath, access)).prefix;
}

/** Returns true for a program that was ended by its time limit, by a shutdown or for its memory. */
function wasKilled(error: unknown): boolean {
  return error instanceof Error && 'signal' in error && (error.signal === 'SIGTERM' || error.signal === 'SIGKILL');
}

function accessTo(ffmpegPath: string, { reads, writes }: Access): Access {
  return { reads: [dirname(ffmpegPath), ...reads], writes };
}

/** Checked beforehand: behind the launcher a missing program would look like a failed decoding. */
export async function assertExecutable(path: string): Promise<void> {
  try {
    await access(path, constants.X_OK);
  } catch (error) {
    throw new FfmpegError('unavailable', String(error), { cause: error });
  }
}

/** An orphan ends at twice the CPU time that the wall clock allows, whatever happened to its parent. */
function guards(run: FfmpegRun): string[] {
  const cpuSeconds = Math.ceil((run.timeoutMs / 1000) * run.threads * 2) + 1;
  return ['-nostdin', '-hide_banner', '-y', '-timelimit', String(cpuSeconds)];
}

function killGroup(child: Child): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL'); // the group does not exist in the moment between fork and setsid
  }
}

async function supervise(child: Child, run: FfmpegRun): Promise<FfmpegResult> {
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  const stderr = collectStderr(child.stderr);
  readLines(child.stderr, (line) => {
    diskFull ||= DISK_FULL.test(line);
    run.onErrorLine?.(line);
  });
  readLines(child.stdout, run.onLine);
  let timedOut = false;
  let diskFull = false;
  const kill = () => killGroup(child);
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, run.timeoutMs);
  run.signal.addEventListener('abort', kill, { once: true });
  process.once('exit', kill);
  try {
    const ending = await untilClosed(child);
    run.signal.throwIfAborted();
    if (timedOut) throw new FfmpegError('timeout', `took longer than ${run.timeoutMs} ms`);
    if (diskFull) throw new FfmpegError('storage_full', stderr().slice(-2000));
    return { ...ending, stderr: stderr() };
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', kill);
    process.removeListener('exit', kill);
  }
}

function untilClosed(child: Child): Promise<Omit<FfmpegResult, 'stderr'>> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new FfmpegError('unavailable', error.message, { cause: error })));
    child.once('close', (exitCode, killedBy) => resolve({ exitCode, killedBy }));
  });
}

function collectStderr(stream: Readable): () => string {
  let head = '';
  let tail = '';
  stream.on('data', (chunk: string) => {
    const room = STDERR_PART - head.length;
    head += chunk.slice(0, room);
    tail = (tail + chunk.slice(Math.max(0, room))).slice(-STDERR_PART);
  });
  return () => head + tail;
}

/** Lines end at `\n`, and at the `\r` with which ffmpeg overwrites its statistics. */
function readLines(stream: Readable, onLine: ((line: string) => void) | undefined): void {
  let rest = '';
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split(/[\r\n]/);
    rest = (lines.pop() ?? '').slice(-MAX_LINE);
    for (const line of lines) onLine?.(line);
  });
  stream.on('end', () => {
    if (rest !== '') onLine?.(rest);
  });
}
