/** The part of a question to selection that describes the person of a request. */
import { NO_SIGNALS } from '../../../db/output/person/personSignals.ts';
import type { OutputPerson } from '../../../db/output/person/person.ts';
import { regionKey } from '../../../domain/dictionaries/regions.ts';
import { interestKeys } from '../../interests.ts';
import type { NamedRegion, Taste } from '../../messages/selectionMessages.ts';
import type { OutputRequest } from '../request/outputRequest.ts';

export interface PersonContext {
  taste: Taste;
  /** Location of a person who has met nothing yet, from the request or the profile; empty for others. */
  places: readonly NamedRegion[];
}

/**
 * Returns an empty taste for a path that is not personal, for an unknown person, and for one who has turned
 * personalization off.
 */
export function personContextOf({ context }: OutputRequest, person: OutputPerson | null): PersonContext {
  const signals = person?.signals ?? NO_SIGNALS;
  const { items, interests, followedAuthors } = signals;
  return {
    taste: {
      items,
      followedAuthors,
      interests: interests.flatMap((value) => interestKeys([value]).map((key) => ({ key, value }))),
    },
    places: items.length > 0 ? [] : placesOf(context?.city || context?.country ? context : signals),
  };
}

function placesOf({ city, country }: { city: string | null; country: string | null }): NamedRegion[] {
  return [city, country].flatMap((value) => {
    const key = value === null ? null : regionKey(value);
    return key === null || value === null ? [] : [{ key, value }];
  });
}
