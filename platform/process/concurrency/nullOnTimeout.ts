/**
 * Waits for an answer that is worthless when it is late.
 * @returns null when the answer failed or took longer than `ms`
 */
export async function nullOnTimeout<T>(answer: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  const first = await Promise.race([answer.catch(() => null), timeout]);
  clearTimeout(timer);
  return first;
}
