/** The one thread of this process that solves models. */
import { createThread } from '../../providers/builtin/threads/thread.ts';
import type { Answers, SolverQuestion } from './solverMessages.ts';

export interface Solver {
  ask<Q extends SolverQuestion>(question: Q, signal: AbortSignal): Promise<Answers[Q['step']]>;
  close(): Promise<void>;
}

/** Texts of ids and what reads files; the numbers lie outside the heap. */
const HEAP_MB = 1_024;
/** Less than an activity may take (domain/queues.ts). */
const TIMEOUT_MS = 50 * 60_000;

export function createSolver(): Solver {
  const thread = createThread<SolverQuestion, Answers[SolverQuestion['step']]>({
    entry: new URL('solverThread.ts', import.meta.url),
    data: null,
    heapMb: HEAP_MB,
  });
  return {
    // The thread answers each step in its own form (solverMessages.ts).
    ask: async <Q extends SolverQuestion>(question: Q, signal: AbortSignal) =>
      (await thread.call(question, { signal, timeoutMs: TIMEOUT_MS })) as Answers[Q['step']],
    close: () => thread.close(),
  };
}
