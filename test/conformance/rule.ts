/** The form of the conformance lists: a rule of the APIs' documents, and the tests that show it. */

export interface TestRef {
  /** Under test/, without `.test.ts`. */
  file: string;
  /** As Jest writes it, groups first; `.each` keeps its placeholders. */
  title: string;
  /** Of an `.each`: texts of its table, which must be in the file. */
  cases: readonly string[];
}

export interface Rule {
  /** Number or name in its chapter of the document. */
  id: string;
  /** What it asks, in our own words. */
  says: string;
  tests: readonly TestRef[];
  /** Why no test can show it, or what a test would have to do; only where `tests` is empty. */
  untested?: string;
  /** Operation that is to come, as `POST /reports`, or part of one; only where `tests` is empty. */
  unbuilt?: string;
}

export interface Chapter {
  title: string;
  rules: readonly Rule[];
}

/** Names the tests of one file: `items('PUT … › creates …')`, with texts of an `.each` table behind the title. */
export function testsIn(file: string): (title: string, ...cases: string[]) => TestRef {
  return (title, ...cases) => ({ file, title, cases });
}

export function rule(id: string, says: string, ...tests: TestRef[]): Rule {
  return { id, says, tests };
}

/** A rule about what the product does not do yet. Once the operation is served, the conformance test asks for tests instead. */
export function notBuilt(id: string, says: string, operation: string): Rule {
  return { id, says, tests: [], unbuilt: operation };
}

/** A rule that the document states about others than the service, or about what it leaves out. */
export function notOurs(id: string, says: string, untested: string): Rule {
  return { id, says, tests: [], untested };
}

/** A rule that the code keeps and no test shows yet, with what is missing. */
export function notTested(id: string, says: string, missing: string): Rule {
  return { id, says, tests: [], untested: `no test yet: ${missing}` };
}
