/**
 * Runs a test file as Node runs any other module, instead of through Jest's module system, which compiles and links
 * every package again for each file and takes half of the suite's processor time. Files that run in the same worker
 * share their modules, as the parts of a process do; environment.ts restores everything else that a file may
 * change.
 */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { JestEnvironment } from '@jest/environment';
import type { Config } from '@jest/types';
import * as globals from './globals.ts';
import { makeLazyExpect } from './lazyExpect.ts';

/** Jest's symbols for state that must be new for each file. */
const OF_ONE_FILE = [Symbol.for('EVENT_HANDLERS'), Symbol.for('TEST_TIMEOUT_SYMBOL')];
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

const require = createRequire(import.meta.url);
const GLOBALS_URL = pathToFileURL(`${import.meta.dirname}/globals.ts`).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS_URL, shortCircuit: true } : next(specifier, context),
});

/** The part of jest-runtime that Jest's runner and jest-circus use. */
export default class NativeRuntime {
  readonly #environment: JestEnvironment;

  constructor(_config: Config.ProjectConfig, environment: JestEnvironment) {
    this.#environment = environment;
  }

  /** The framework keeps its tests in module state, so each file gets a new instance. */
  requireInternalModule(path: string): unknown {
    for (const key of OF_ONE_FILE) Reflect.deleteProperty(globalThis, key);
    Reflect.deleteProperty(require.cache, path);
    return require(path);
  }

  setGlobalsForRuntime(framework: Parameters<typeof globals.setGlobals>[0]): void {
    const { moduleMocker, fakeTimersModern } = this.#environment;
    if (!moduleMocker || !fakeTimersModern) throw new Error('the environment has no mocks and no timers');
    const tools = {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      restoreAllMocks: () => (moduleMocker.restoreAllMocks(), tools),
      setTimeout: (ms: number) => (Object.assign(globalThis, { [TIMEOUT]: ms }), tools),
      useFakeTimers: (wanted?: Config.FakeTimersConfig) => (fakeTimersModern.useFakeTimers(wanted), tools),
      useRealTimers: () => (fakeTimersModern.useRealTimers(), tools),
      advanceTimersByTime: (ms: number) => fakeTimersModern.advanceTimersByTime(ms),
      getTimerCount: () => fakeTimersModern.getTimerCount(),
    };
    globals.setGlobals(
      { ...framework, expect: makeLazyExpect(framework.expect) },
      tools as unknown as Parameters<typeof globals.setGlobals>[1],
    );
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(path: string): Promise<void> {
    await import(pathToFileURL(path).href);
  }

  /** jest-circus binds it for CommonJS setup files, of which there are none. */
  requireModule(path: string): never {
    throw new Error(`no setup file is expected: ${path}`);
  }

  getSourceMaps(): Map<string, string> {
    return new Map();
  }

  getAllCoverageInfoCopy(): undefined {}
  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}
}
