/** A process that stands still: it keeps its connections and its work, and does nothing. */
import type { WholeStack } from '../../test/support/whole/stack.ts';

/** SIGSTOP. @returns what lets it go on; harmless when the process has ended since */
export async function freeze(stack: WholeStack, name: string): Promise<() => void> {
  const pid = (await stack.pids())[name];
  if (pid === undefined) throw new Error(`the stack has no process ${name}`);
  process.kill(pid, 'SIGSTOP');
  return () => {
    try {
      process.kill(pid, 'SIGCONT');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
}
