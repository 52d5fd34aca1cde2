/** Processor time, which other work on the machine does not change, unlike the time that passes. */

/** Returns the milliseconds of processor time that this thread needs until `work` has ended. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
