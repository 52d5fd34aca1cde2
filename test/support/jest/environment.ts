/**
 * Runs a test file in the worker's own realm. Afterwards it restores what a file may change in the process
 * (environment variables, listeners, the console). It also records whether a test of the file failed (a failed
 * file's database is kept), fails a file that leaves a child process behind, and with ATTUNE_RECORD_CPU=path
 * appends a line of JSON with the processor time of each test file to that path.
 */
import { appendFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Circus, Global } from '@jest/types';
import { ModuleMocker } from 'jest-mock';
import { statFields, TICKS_PER_SECOND } from '../programs/statFields.ts';
import { hideLazyExpect } from './lazyExpect.ts';

/** Time for child processes that were told to end. */
const LAST_WORDS_MS = 15_000;
const PAUSE_MS = 50;

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
  /** Processor time of the worker itself, including its threads. */
  own: number;
  /**
   * Processor time of its ended child processes and their ended children. The shared servers are not children of
   * any test process.
   */
  children: number;
}

function cpuSeconds(): CpuSeconds {
  const { user, system } = process.cpuUsage();
  const field = statFields('self');
  return { own: (user + system) / 1e6, children: (field(16) + field(17)) / TICKS_PER_SECOND };
}

export default class AttuneEnvironment implements JestEnvironment {
  /** Jest puts the file's console here; see {@link setup}. */
  readonly global = {} as Global.Global;
  readonly moduleMocker = new ModuleMocker(globalThis as unknown as Global.Global);
  readonly fakeTimersModern: ModernFakeTimers;
  readonly fakeTimers = null;
  readonly #path: string;
  readonly #record = process.env['ATTUNE_RECORD_CPU'];
  readonly #kept = keepProcess();
  #before = new Set<string>();
  #failed = false;
  /** A `beforeAll` of the file has failed. */
  #isUnprepared = false;
  #cpuBefore: CpuSeconds = { own: 0, children: 0 };

  constructor({ projectConfig }: JestEnvironmentConfig, { testPath }: EnvironmentContext) {
    this.#path = testPath;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** There is no context other than the worker's. */
  getVmContext(): null {
    return null;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  async setup(): Promise<void> {
    if (this.#record) this.#cpuBefore = cpuSeconds();
    Object.assign(globalThis, { console: this.global.console, attuneTestFailed: false });
    this.#before = await childProcesses();
  }

  async handleTestEvent(event: Circus.Event, state: Circus.State): Promise<void> {
    if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
    this.#failed = true;
    hideLazyExpect(event.error);
    Object.assign(globalThis, { attuneTestFailed: true });
    if (event.name !== 'hook_failure') return;
    if (event.hook.type === 'beforeAll') this.#isUnprepared = true;
    // A clean-up after a failed preparation finds variables that were never set. Its failure would hide the cause.
    if (event.hook.type === 'afterAll' && this.#isUnprepared) state.unhandledErrors.pop();
  }

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    this.#kept.restore();
    if (this.#record) this.#recordCpu(this.#record);
    const left = await this.#leftProcesses();
    if (left.length === 0) return;
    const described = await Promise.all(left.map(describeProcess));
    for (const pid of left) process.kill(Number(pid), 'SIGKILL');
    const message = `the file left child processes behind: ${described.join(', ')}`;
    if (!this.#failed) throw new Error(message);
    console.error(message); // a throw would replace the messages of failed tests
  }

  /** A killed process may need a moment to end, and longer on a busy machine. */
  async #leftProcesses(): Promise<string[]> {
    const deadline = performance.now() + LAST_WORDS_MS;
    for (;;) {
      const left = [...(await childProcesses())].filter((pid) => !this.#before.has(pid));
      if (left.length === 0 || performance.now() > deadline) return left;
      await pause(PAUSE_MS);
    }
  }

  #recordCpu(file: string): void {
    const { own, children } = cpuSeconds();
    const used = { path: this.#path, own: own - this.#cpuBefore.own, children: children - this.#cpuBefore.children };
    appendFileSync(file, `${JSON.stringify(used)}\n`);
  }
}

/** Saves the state of the process that a test file may change, to restore it later. */
function keepProcess(): { restore(): void } {
  const { console } = globalThis;
  const env = { ...process.env };
  const listeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name as string)]));
  return {
    restore() {
      globalThis.console = console;
      for (const name of Object.keys(process.env))
        if (!Object.hasOwn(env, name)) Reflect.deleteProperty(process.env, name);
      Object.assign(process.env, env);
      for (const name of process.eventNames())
        for (const listener of process.rawListeners(name as string))
          if (!listeners.get(name)?.includes(listener)) process.off(name as string, listener as () => void);
    },
  };
}
