/** The filter of the events page, as stored in the address. */
import { PERSON_KINDS, type PersonKind } from './people.ts';
import { oneOf, textOf } from './searchValues.ts';

export const OUTCOMES = ['accepted', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface EventFilter {
  type?: string | undefined;
  user?: string | undefined;
  kind?: PersonKind | undefined;
  item?: string | undefined;
  outcome?: Outcome | undefined;
}

/** Maximum length of ids and types in the API. */
export const LONGEST_ID = 191;
const LONGEST_TYPE = 64;

export function eventFilterOf({ type, user, kind, item, outcome }: Record<string, unknown>): EventFilter {
  return {
    type: textOf(type, LONGEST_TYPE),
    user: textOf(user, LONGEST_ID),
    kind: oneOf(PERSON_KINDS, kind),
    item: textOf(item, LONGEST_ID),
    outcome: oneOf(OUTCOMES, outcome),
  };
}
