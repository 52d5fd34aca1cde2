/**
 * Jest's Node environment, with two more duties: it remembers whether a test of the file failed (a
 * failed file's database is kept), and it fails a file that leaves a child process behind.
 */
import { readdir, readFile } from 'node:fs/promises';
import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';

async function childProcesses(): Promise<Set<string>> {
  const children = new Set<string>();
  for (const task of await readdir('/proc/self/task').catch(() => [])) {
    const text = await readFile(`/proc/self/task/${task}/children`, 'utf8').catch(() => '');
    for (const pid of text.split(' ')) if (pid !== '') children.add(pid);
  }
  return children;
}

async function describeProcess(pid: string): Promise<string> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return `${pid} (${command.replaceAll('\0', ' ').trim().slice(0, 120)})`;
}

export default class AttuneEnvironment extends TestEnvironment {
  #before = new Set<string>();
  #failed = false;

  override async setup(): Promise<void> {
    await super.setup();
    this.#before = await childProcesses();
  }

  async handleTestEvent(event: Circus.Event): Promise<void> {
    if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
    this.#failed = true;
    this.global['attuneTestFailed'] = true;
  }

  override async teardown(): Promise<void> {
    await super.teardown();
    const left = [...(await childProcesses())].filter((pid) => !this.#before.has(pid));
    if (left.length === 0) return;
    const described = await Promise.all(left.map(describeProcess));
    for (const pid of left) process.kill(Number(pid), 'SIGKILL');
    const message = `the file left child processes behind: ${described.join(', ')}`;
    if (!this.#failed) throw new Error(message);
    console.error(message); // a throw would take the place of the failed tests' own messages
  }
}
