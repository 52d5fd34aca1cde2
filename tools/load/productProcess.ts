/** Processes of the product, as an installation runs them. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Starts a process and discards its log, which goes to standard output.
 * @param profile a folder for a CPU profile
 * @returns the process once it is ready
 */
export async function startProductProcess(
  entry: string,
  env: Record<string, string>,
  profile: string | null = null,
): Promise<ChildProcess> {
  const child = fork(join(ROOT, entry), {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      ...(profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ],
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${entry} ended`))),
  ]);
  return child;
}
