/** How a report is ended from outside. */
import type { LentConnection } from '../lake/connection.ts';

const AGAIN_MS = 20;

/** Again and again, for what comes before a statement has begun is lost. @returns how to end it */
export function interruptOn(connection: LentConnection, signal: AbortSignal | undefined): () => void {
  let again: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    again = setInterval(() => connection.interrupt(), AGAIN_MS);
  };
  if (signal?.aborted === true) interrupt();
  else signal?.addEventListener('abort', interrupt, { once: true });
  return () => {
    clearInterval(again);
    signal?.removeEventListener('abort', interrupt);
  };
}
