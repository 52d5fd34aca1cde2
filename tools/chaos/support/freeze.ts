/** Freezes a process: it keeps its connections and its work, and does nothing. */
import type { WholeStack } from '../../../test/support/whole/stack.ts';

/** Sends SIGSTOP. @returns a function that resumes the process; harmless when it has ended since */
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
