/** The form of the lists of rules. Tags in the tests, not these lists, say which tests prove a rule. */

export interface Rule {
  /** Short, unique in its chapter and never changed: tests name it after the chapter's id, as in `limits/url`. */
  id: string;
  /** Its number or name in the chapter of the document. */
  name: string;
  /** The requirement, in our own words. */
  says: string;
  /** Why no test can prove it; a rule without this needs a test. */
  untested?: string;
}

export interface Chapter {
  id: string;
  title: string;
  rules: readonly Rule[];
}

export function rule(id: string, says: string, name = id): Rule {
  return { id, name, says };
}

/**
 * Defines a rule that needs no test: it binds somebody other than the service, or names something that the document
 * leaves out.
 */
export function notOurs(id: string, says: string, untested: string, name = id): Rule {
  return { id, name, says, untested };
}
