/** Waits for something that happens elsewhere by polling, never by sleeping for a fixed time. */

const PAUSE_MS = 20;

/** Resolves with the first truthy answer. @throws when none arrives in time; the message has the last answer */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  what: string,
  timeoutMs = 45_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
