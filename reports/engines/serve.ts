/** The process of an engine: opens the lake and runs one job at a time, as its parent requests. */
import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { lowerThreadPriorities } from '../../platform/process/niceness.ts';
import { removeOwnFolders } from '../../platform/disk/workDir.ts';
import { openLake, type Lake } from '../lake/index.ts';
import { kindOf } from './errors.ts';
import type { Answer } from '../mapAndVisitQuestions.ts';
import type { Job } from '../job.ts';
import type { FromEngine, ToEngine } from './protocol.ts';

export type RunJob = (lake: Lake, job: Job, signal: AbortSignal) => Promise<Answer>;

/** Out of 1000: when memory runs out, the kernel kills an engine before any other process of Attune. */
const OOM_SCORE = '500';

/**
 * Serves jobs.
 * @param warm reads what the first report would have to fetch
 */
export function serveReports(run: RunJob, warm: (lake: Lake) => Promise<void>): void {
  raiseOomScore();
  let lake: Lake | null = null;
  let tempDir: string | null = null;
  let current: { id: number; controller: AbortController } | null = null;
  const open = async (message: Extract<ToEngine, { type: 'open' }>): Promise<FromEngine> => {
    try {
      tempDir = message.lake.tempDir;
      lake = await openLake({ ...message.lake, isConfined: true });
      await warm(lake);
      // Engines end by a kill, which would not write the cache; the next engine needs it.
      flushCompileCache();
      return { type: 'open' };
    } catch (error) {
      return { type: 'refused', message: messageOf(error) };
    }
  };
  const make = async ({ id, job }: Extract<ToEngine, { type: 'run' }>): Promise<FromEngine> => {
    const controller = new AbortController();
    current = { id, controller };
    try {
      lowerThreadPriorities();
      if (lake === null) throw new Error('the lake is not open');
      return { type: 'done', id, answer: await run(lake, job, controller.signal) };
    } catch (error) {
      return {
        type: 'failed',
        id,
        kind: controller.signal.aborted ? 'interrupted' : kindOf(error),
        message: messageOf(error),
      };
    } finally {
      current = null;
    }
  };
  process.on('message', (message: ToEngine) => {
    if (message.type === 'open') void open(message).then(send);
    if (message.type === 'run') void make(message).then(send);
    if (message.type === 'interrupt' && current?.id === message.id) current.controller.abort(new Error('interrupted'));
  });
  // The parent no longer exists, and a new one may have swept already. An exit would wait for DuckDB's threads.
  process.on('disconnect', () => {
    if (tempDir !== null) removeOwnFolders(tempDir);
    process.kill(process.pid, 'SIGKILL');
  });
  // The parent handles a stop of the whole process group: it lets a report finish.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
}

function send(message: FromEngine): void {
  process.send?.(message);
}

function raiseOomScore(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', OOM_SCORE);
  } catch {
    // Not Linux, or a container that forbids it.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
