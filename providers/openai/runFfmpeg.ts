/** One run of ffmpeg: no shell, no standard input, ended with the signal or at its time limit. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ProviderError } from '../errors.ts';
import type { CallContext } from '../types.ts';
import { isRecord } from './errors.ts';

const PROGRESS_INTERVAL_MS = 2_000;

export interface FfmpegRun {
  /** Absolute path of the program. */
  ffmpegPath: string;
  args: string[];
  timeoutMs: number;
  context: CallContext;
  onStdout?: (line: string) => void;
  onStderr?: (line: string) => void;
}

/** @throws ProviderError `audio_unreadable`, `audio_timeout` or `ffmpeg_missing`, or the signal's reason */
export async function runFfmpeg(run: FfmpegRun): Promise<void> {
  const { context } = run;
  context.signal.throwIfAborted();
  const args = ['-nostdin', '-hide_banner', '-nostats', '-threads', '2', '-filter_threads', '1', ...run.args];
  const child = spawn(run.ffmpegPath, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  let timedOut = false;
  const kill = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, run.timeoutMs);
  const ticker = setInterval(context.progress, PROGRESS_INTERVAL_MS);
  context.signal.addEventListener('abort', kill, { once: true });
  createInterface({ input: child.stdout }).on('line', (line) => run.onStdout?.(line));
  createInterface({ input: child.stderr }).on('line', (line) => run.onStderr?.(line));
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    context.signal.throwIfAborted();
    if (timedOut) throw new ProviderError('retryable', 'audio_timeout', 'Reading the audio took too long');
    if (code !== 0) throw new ProviderError('permanent', 'audio_unreadable', 'The audio cannot be read');
  } catch (error) {
    if (isMissingProgram(error)) throw new ProviderError('permanent', 'ffmpeg_missing', 'ffmpeg cannot be started');
    throw error;
  } finally {
    clearTimeout(timer);
    clearInterval(ticker);
    context.signal.removeEventListener('abort', kill);
  }
}

function isMissingProgram(error: unknown): boolean {
  return isRecord(error) && String(error['syscall']).startsWith('spawn');
}
