/** Turns Ctrl-C, SIGTERM and a closed terminal into one request to stop. */

/**
 * A terminal sends Ctrl-C to npm and to this process, and npm forwards its own, so one press arrives twice. A second
 * press counts only after this time.
 */
const SAME_PRESS_MS = 1000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface StopRequest {
  signal: AbortSignal;
  /** Resolves at the first request. */
  requested: Promise<void>;
}

export function onStopRequest({ onFirst, onSecond }: { onFirst: () => void; onSecond: () => void }): StopRequest {
  const controller = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  let firstAt: number | undefined;
  const handle = (): void => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt >= SAME_PRESS_MS) onSecond();
      return;
    }
    firstAt = performance.now();
    onFirst();
    controller.abort(new Error('stopped before everything had started'));
    resolve();
  };
  for (const name of SIGNALS) process.on(name, handle);
  return { signal: controller.signal, requested };
}
