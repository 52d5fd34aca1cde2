/** The filter of the events page, as stored in the address. */
import { limits } from '../apiLimits.ts';
import { PERSON_KINDS, type PersonKind } from './people.ts';
import { oneOf, textOf } from '../searchValues.ts';

export const OUTCOMES = ['accepted', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface EventFilter {
  type?: string | undefined;
  user?: string | undefined;
  kind?: PersonKind | undefined;
  item?: string | undefined;
  outcome?: Outcome | undefined;
}

export function eventFilterOf({ type, user, kind, item, outcome }: Record<string, unknown>): EventFilter {
  return {
    type: textOf(type, limits.listProjectEvents_type),
    user: textOf(user, limits.listProjectEvents_user_id),
    kind: oneOf(PERSON_KINDS, kind),
    item: textOf(item, limits.listProjectEvents_item),
    outcome: oneOf(OUTCOMES, outcome),
  };
}
