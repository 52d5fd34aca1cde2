/**
 * The `@jest/globals` of test files (see runtime.ts): the framework's functions for the file that is running.
 * Support modules are loaded once for many files, so these are bindings that change, not constants.
 */
import type * as Globals from '@jest/globals';

type Framework = Pick<
  typeof Globals,
  'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'it' | 'test'
>;
export type Expect = Framework['expect'];
type Tools = Pick<
  typeof Globals.jest,
  | 'fn'
  | 'spyOn'
  | 'restoreAllMocks'
  | 'setTimeout'
  | 'useFakeTimers'
  | 'useRealTimers'
  | 'advanceTimersByTime'
  | 'getTimerCount'
>;

export let afterAll: Framework['afterAll'];
export let afterEach: Framework['afterEach'];
export let beforeAll: Framework['beforeAll'];
export let beforeEach: Framework['beforeEach'];
export let describe: Framework['describe'];
export let expect: Framework['expect'];
export let it: Framework['it'];
export let test: Framework['test'];
export let jest: Tools;

/** Called before each test file is loaded. */
export function setGlobals(framework: Framework, tools: Tools): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = framework);
  jest = tools;
}
