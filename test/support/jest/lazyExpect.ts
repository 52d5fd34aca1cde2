/**
 * For every value that a test compares, Jest's `expect(value)` prepares some 45 matchers in six forms each, and an
 * error with a stack, although the test calls only one of them. That takes 43 µs; this module takes 5. The matchers
 * are Jest's own.
 */
import type { Expect } from './globals.ts';

/** The state that Jest's `expect` keeps for the whole process. */
interface ExpectState {
  matchers: Record<string, unknown>;
}
type Expectation = Record<string, unknown> & { not: Expectation; resolves: unknown; rejects: unknown };

const STATE = Symbol.for('$$jest-matchers-object');
const THIS_FILE = import.meta.url;

function readState(): ExpectState {
  const state = (globalThis as unknown as Record<symbol, ExpectState | undefined>)[STATE];
  if (state === undefined) throw new Error('the expect of this version of Jest keeps its matchers elsewhere');
  return state;
}

/** Makes an `expect` that prepares a matcher when a test asks for it. `expect.extend` must have been called before. */
export function makeLazyExpect(whole: Expect): Expect {
  const state = readState();
  const { matchers } = state;

  /** Lets Jest's `expect` see a single matcher. The stack of the error that it creates is needed for promises only. */
  function prepare(actual: unknown, only: Record<string, unknown>): Expectation {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    state.matchers = only;
    try {
      return whole(actual) as unknown as Expectation;
    } finally {
      state.matchers = matchers;
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  class Plain {
    readonly actual: unknown;
    constructor(actual: unknown) {
      this.actual = actual;
    }
    get not(): Negated {
      return new Negated(this.actual);
    }
    get resolves(): unknown {
      return whole(this.actual).resolves;
    }
    get rejects(): unknown {
      return whole(this.actual).rejects;
    }
  }
  class Negated {
    readonly actual: unknown;
    constructor(actual: unknown) {
      this.actual = actual;
    }
  }
  for (const [name, matcher] of Object.entries(matchers)) {
    const only = { [name]: matcher };
    Object.defineProperty(Plain.prototype, name, {
      get(this: Plain) {
        return prepare(this.actual, only)[name];
      },
    });
    Object.defineProperty(Negated.prototype, name, {
      get(this: Negated) {
        return prepare(this.actual, only).not[name];
      },
    });
  }

  const lazy = (actual: unknown, ...rest: unknown[]): unknown => {
    if (rest.length > 0) throw new Error('Expect takes at most one argument.');
    return new Plain(actual);
  };
  return Object.assign(lazy, whole) as unknown as Expect;
}

/** Removes the lines of this file from the stack of a failed expectation, so that the first one is the test's. */
export function hideLazyExpect(error: unknown): void {
  if (!(error instanceof Error) || error.stack?.includes(THIS_FILE) !== true) return;
  error.stack = error.stack
    .split('\n')
    .filter((line) => !line.includes(THIS_FILE))
    .join('\n');
}
