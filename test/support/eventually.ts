/** Waiting for what happens elsewhere: asked for again and again, never slept for. */

const PAUSE_MS = 20;

/** Resolves with the first truthy answer. @throws when none came in time, with the last answer in words. */
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
