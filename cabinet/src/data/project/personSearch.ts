/** The identifier of a person in the address, and the filter of the events. */
import { limits } from '../apiLimits.ts';
import { PERSON_KINDS, type PersonKind } from './people.ts';
import { oneOf, textOf } from '../searchValues.ts';

export interface PersonSearch {
  /** If absent, the first kind with a matching person. */
  kind?: PersonKind | undefined;
  type?: string | undefined;
}

export function personSearchOf({ kind, type }: Record<string, unknown>): PersonSearch {
  return { kind: oneOf(PERSON_KINDS, kind), type: textOf(type, limits.listProjectEvents_type) };
}
