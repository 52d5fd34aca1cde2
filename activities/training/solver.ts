/** The single thread of this process that solves models. */
import { createThread } from '../../providers/builtin/threads/thread.ts';
import type { Answers, SolverQuestion } from './solverMessages.ts';

export interface Solver {
  ask<Q extends SolverQuestion>(question: Q, signal: AbortSignal): Promise<Answers[Q['step']]>;
  close(): Promise<void>;
}

/** For id strings and parsing; the numbers are stored outside the heap. */
const HEAP_MB = 1_024;
/** Less than the timeout of an activity (domain/jobs/activityOptions.ts). */
const TIMEOUT_MS = 50 * 60_000;

export function createSolver(): Solver {
  const thread = createThread<SolverQuestion, Answers[SolverQuestion['step']]>({
    entry: new URL('solverThread.ts', import.meta.url),
    data: null,
    heapMb: HEAP_MB,
  });
  return {
    // The thread replies to each step in its own format (solverMessages.ts).
    ask: async <Q extends SolverQuestion>(question: Q, signal: AbortSignal) =>
      (await thread.call(question, { signal, timeoutMs: TIMEOUT_MS })) as Answers[Q['step']],
    close: () => thread.close(),
  };
}
