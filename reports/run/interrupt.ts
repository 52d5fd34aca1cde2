/** Interrupts a report from outside. */
import type { InterruptibleConnection } from '../lake/connection.ts';

const AGAIN_MS = 20;

/**
 * Interrupts repeatedly, because an interrupt before a statement has begun is lost.
 * @returns a function that stops the interrupts
 */
export function interruptOn(connection: InterruptibleConnection, signal: AbortSignal | undefined): () => void {
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
