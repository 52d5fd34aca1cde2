/** Calls `progress` now and every two seconds while `work` runs. */
const EVERY_MS = 2_000;

export async function withHeartbeat<T>(progress: () => void, work: () => Promise<T>): Promise<T> {
  progress();
  const timer = setInterval(progress, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
