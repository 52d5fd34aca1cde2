/**
 * Ends what a benchmark has started when the benchmark is interrupted by SIGINT, by SIGTERM or by an uncaught error. Its
 * servers lead process groups of their own, so nothing else would reach them. A second signal ends the benchmark at
 * once.
 */
import { constants } from 'node:os';

const open = new Set<() => Promise<void>>();
let isListening = false;
let isEnding = false;

/**
 * @param starting what is being started; an interruption waits for it, so that nothing is left half started
 * @returns a function that ends it, for a benchmark that completes
 */
export function endWithBench<T>(starting: Promise<T>, end: (started: T) => Promise<void>): () => Promise<void> {
  if (!isListening) listen();
  let ended: Promise<void> | null = null;
  const endOnce = (): Promise<void> => {
    // If the start failed, nothing is left to end; the caller reports the error.
    ended ??= starting.then(end, () => undefined).finally(() => open.delete(endOnce));
    return ended;
  };
  open.add(endOnce);
  return endOnce;
}

function listen(): void {
  isListening = true;
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal).on('uncaughtException', onError);
}

function onSignal(signal: 'SIGINT' | 'SIGTERM'): void {
  console.error(`${signal}: ending what the benchmark has started`);
  void endAll(128 + constants.signals[signal]);
}

function onError(error: unknown): void {
  // Ending the servers makes the benchmark's own requests fail.
  if (isEnding) return;
  console.error(error);
  void endAll(1);
}

/** Ends the latest first: it may need those that were started before it in order to end cleanly. */
async function endAll(exitCode: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  for (const end of [...open].toReversed()) await end().catch((error: unknown) => console.error(error));
  process.exit(exitCode);
}
