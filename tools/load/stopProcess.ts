import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Stops a process as an operator does, even one that is frozen. @returns once it has ended */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  await exited;
}
