import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process as an operator does, also one that is frozen. @returns once it is gone */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  await exited;
}
