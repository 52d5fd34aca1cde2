/** Waits for something that happens elsewhere by polling, never by sleeping for a fixed time. */

const PAUSE_MS = 20;

/**
 * How long a test waits for anything that has no timeout of its own. It only ends a hang: a second's work on an idle
 * machine takes a minute on one whose processors have other work. The limit of a test (jest.config.js) is above it, so
 * that the failure says what never came.
 */
export const HANG_MS = 180_000;

/** Resolves with the first truthy answer. @throws when none arrives in time */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  what: string,
  timeoutMs = HANG_MS,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
