/** Derives a person's taste from their history and profiles. */
import { itemSignals, type ItemSignal } from '../../../domain/output/itemSignals.ts';
import type { OutputType } from './history.ts';
import type { History } from './historyParts.ts';

/** The fields of a profile that output uses, including personalization and exclusions. */
export interface OutputProfile {
  personalization: boolean | null;
  excluded_interests: string[] | null;
  hidden_authors: string[] | null;
  interests: string[] | null;
  followed_authors: string[] | null;
  city: string | null;
  country: string | null;
}

export interface PersonSignals {
  /** Items, the one that was met last first. */
  items: readonly ItemSignal[];
  interests: readonly string[];
  followedAuthors: readonly string[];
  city: string | null;
  country: string | null;
}

export const NO_SIGNALS: PersonSignals = { items: [], interests: [], followedAuthors: [], city: null, country: null };

/**
 * Returns the signals of a person.
 * @param profiles the root's first: before a link is finished, the device still has one of its own
 */
export function signalsOf(
  { facts, states, orders }: History,
  { types, profiles }: { types: readonly OutputType[]; profiles: readonly OutputProfile[] },
): PersonSignals {
  const purchase = types.find((type) => type.is_purchase)?.code ?? '';
  const outdated = new Set(orders.map(({ orderId }) => orderId));
  const met = [
    ...facts.filter(({ orderId }) => orderId === null || !outdated.has(orderId)),
    ...states,
    ...orders.flatMap(({ occurredAt, items }) =>
      items.map((itemId) => ({ itemId, value: null, occurredAt, type: purchase })),
    ),
  ];
  return {
    items: itemSignals(met, new Map(types.map((type) => [type.code, type])), Date.now()),
    interests: [...new Set(profiles.flatMap(({ interests }) => interests ?? []))],
    followedAuthors: [...new Set(profiles.flatMap(({ followed_authors: authors }) => authors ?? []))],
    city: profiles.find(({ city }) => city !== null)?.city ?? null,
    country: profiles.find(({ country }) => country !== null)?.country ?? null,
  };
}
