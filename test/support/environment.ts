/**
 * Jest's Node environment, with three more duties: it remembers whether a test of the file failed (a
 * failed file's database is kept), it fails a file that leaves a child process behind, and with
 * ATTUNE_RECORD_CPU=path it adds a line of JSON to that file: the processor time of each test file.
 */
import { appendFileSync, readFileSync } from 'node:fs';
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

interface CpuSeconds {
  /** Of the worker itself, its threads included. */
  own: number;
  /** Of its child processes that have ended, and of theirs. The shared servers are nobody's children here. */
  children: number;
}

/** Linux counts in hundredths of a second (USER_HZ). */
const TICKS = 100;

function cpuSeconds(): CpuSeconds {
  const { user, system } = process.cpuUsage();
  // The name in parentheses may have spaces; the fields after it are counted from the state, which is the third.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return { own: (user + system) / 1e6, children: (Number(fields[13]) + Number(fields[14])) / TICKS };
}

export default class AttuneEnvironment extends TestEnvironment {
  #before = new Set<string>();
  #failed = false;
  readonly #path: string;
  readonly #record = process.env['ATTUNE_RECORD_CPU'];
  #cpuBefore: CpuSeconds = { own: 0, children: 0 };

  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    super(config, context);
    this.#path = context.testPath;
  }

  override async setup(): Promise<void> {
    if (this.#record) this.#cpuBefore = cpuSeconds();
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
    if (this.#record) this.#recordCpu(this.#record);
    const left = [...(await childProcesses())].filter((pid) => !this.#before.has(pid));
    if (left.length === 0) return;
    const described = await Promise.all(left.map(describeProcess));
    for (const pid of left) process.kill(Number(pid), 'SIGKILL');
    const message = `the file left child processes behind: ${described.join(', ')}`;
    if (!this.#failed) throw new Error(message);
    console.error(message); // a throw would take the place of the failed tests' own messages
  }

  #recordCpu(file: string): void {
    const { own, children } = cpuSeconds();
    const used = { path: this.#path, own: own - this.#cpuBefore.own, children: children - this.#cpuBefore.children };
    appendFileSync(file, `${JSON.stringify(used)}\n`);
  }
}
