import type { CallContext } from './types.ts';

const PROGRESS_INTERVAL_MS = 2_000;

/** Reports progress while `work` runs, and once at its end. */
export async function withProgress<T>(context: Pick<CallContext, 'progress'>, work: () => Promise<T>): Promise<T> {
  const ticker = setInterval(context.progress, PROGRESS_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(ticker);
    context.progress();
  }
}
