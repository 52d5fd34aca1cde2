/** What is asked of selection about the person of a request. */
import { NO_SIGNALS } from '../../db/output/signals.ts';
import type { OutputPerson } from '../../db/output/person.ts';
import { regionKey } from '../../dictionaries/regions.ts';
import { interestKeys } from '../interests.ts';
import type { NamedRegion, Taste } from '../selection/messages.ts';
import type { OutputRequest } from './request.ts';

export interface Tasting {
  taste: Taste;
  /** Where somebody is who has met nothing yet, as the request says or the profile; empty for others. */
  places: readonly NamedRegion[];
}

/** Nothing for a path that does not go by a person, for somebody unknown, and for whoever does not want personalization. */
export function tastingOf({ context }: OutputRequest, person: OutputPerson | null): Tasting {
  const signals = person?.signals ?? NO_SIGNALS;
  const { items, interests, followedAuthors } = signals;
  return {
    taste: {
      items,
      followedAuthors,
      interests: interests.flatMap((value) => interestKeys([value]).map((key) => ({ key, value }))),
    },
    places: items.length > 0 ? [] : placesOf(context ?? signals),
  };
}

function placesOf({ city, country }: { city: string | null; country: string | null }): NamedRegion[] {
  return [city, country].flatMap((value) => {
    const key = value === null ? null : regionKey(value);
    return key === null || value === null ? [] : [{ key, value }];
  });
}
