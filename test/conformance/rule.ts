/** The form of the conformance lists: a rule of the APIs' documents, and the tests that show it. */

export interface TestRef {
  /** Path under test/, without `.test.ts`. */
  file: string;
  /** The title as Jest writes it, groups first; `.each` keeps its placeholders. */
  title: string;
  /** Texts of an `.each` table, which must be in the file. */
  cases: readonly string[];
}

export interface Rule {
  /** Number or name in its chapter of the document. */
  id: string;
  /** The requirement, in our own words. */
  says: string;
  tests: readonly TestRef[];
  /** Why no test can show it, or what a test would have to do; only where `tests` is empty. */
  untested?: string;
  /** Planned operation, as `POST /reports`, or part of one; only where `tests` is empty. */
  unbuilt?: string;
}

export interface Chapter {
  title: string;
  rules: readonly Rule[];
}

/**
 * Returns a function that names tests of one file: `items('PUT … › creates …')`, with texts of an `.each` table
 * after the title.
 */
export function testsIn(file: string): (title: string, ...cases: string[]) => TestRef {
  return (title, ...cases) => ({ file, title, cases });
}

export function rule(id: string, says: string, ...tests: TestRef[]): Rule {
  return { id, says, tests };
}

/**
 * Defines a rule about an operation that does not exist yet. Once it is served, the conformance test requires tests
 * instead.
 */
export function notBuilt(id: string, says: string, operation: string): Rule {
  return { id, says, tests: [], unbuilt: operation };
}

/** Defines a rule about others than the service, or about what it leaves out. */
export function notOurs(id: string, says: string, untested: string): Rule {
  return { id, says, tests: [], untested };
}

/** Defines a rule that the code keeps and no test shows yet, with what is missing. */
export function notTested(id: string, says: string, missing: string): Rule {
  return { id, says, tests: [], untested: `no test yet: ${missing}` };
}
