/**
 * Decides where a text analysis runs: inline if it takes a few milliseconds, in a thread if it would block the event
 * loop.
 */
import type { CallContext } from '../types.ts';
import { TEXT_LIMITS, throwTextFault } from './threads/textJobLimits.ts';
import { withHeartbeat } from './threads/heartbeat.ts';
import { createThread } from './threads/thread.ts';
import { runTextJob, type TextJobKind, type TextJobs } from './textJobs.ts';

/**
 * Maximum number of characters of an inline job: about 3 ms on a 2-core cloud machine once warm. Measured per 1,000
 * characters of Russian prose: summary 1.3 ms (parts and titles of chapters no more), moderation 0.12 ms, embedding
 * 0.13 ms, subtitles 0.1 ms.
 */
const INLINE_CHARACTERS: Readonly<Record<TextJobKind, number>> = {
  summary: 2_500,
  parts: 2_500,
  titles: 2_500,
  moderation: 20_000,
  embedding: 20_000,
  subtitles: 20_000,
};
/** Enough for 2,000,000 characters of evidence and the strings made of them. */
const HEAP_MB = 768;

export interface TextRunner {
  /**
   * @throws ProviderError: `permanent` if the job fails or takes too much processor time, `retryable` if its thread
   * dies or the machine is too busy for it; the signal's reason if aborted
   */
  run<Kind extends TextJobKind>(
    kind: Kind,
    input: TextJobs[Kind]['input'],
    characters: number,
    context: CallContext,
  ): Promise<TextJobs[Kind]['output']>;
  close(): Promise<void>;
}

export function createTextRunner(): TextRunner {
  const thread = createThread<{ kind: TextJobKind; input: unknown }, unknown>({
    entry: new URL('./textThread.ts', import.meta.url),
    data: null,
    heapMb: HEAP_MB,
  });
  return {
    async run<Kind extends TextJobKind>(
      kind: Kind,
      input: TextJobs[Kind]['input'],
      characters: number,
      context: CallContext,
    ) {
      context.signal.throwIfAborted();
      if (characters <= INLINE_CHARACTERS[kind]) return runTextJob(kind, input);
      const call = () => thread.call({ kind, input }, { signal: context.signal, ...TEXT_LIMITS });
      // The thread runs the same typed job table: its answer to `kind` is that kind's output.
      return (await withHeartbeat(context.progress, call).catch(throwTextFault)) as TextJobs[Kind]['output'];
    },
    close: () => thread.close(),
  };
}
