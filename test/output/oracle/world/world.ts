/** The state of a project as the naive model keeps it: immutable values that a write replaces. */

export const TYPES = ['video', 'image', 'audio', 'text', 'mixed'] as const;
export type ItemType = (typeof TYPES)[number];

/** From the lowest rating up. */
export const AGES = ['0+', '6+', '12+', '16+', '18+'] as const;
export type Age = (typeof AGES)[number];

export type PropertyValue = string | number | boolean | readonly string[] | null;

/** Results of an item's analysis; a new object for each analysis. */
export interface Results {
  topics: readonly string[];
  tags: readonly string[];
  age: Age | null;
  /** Vectors of its search chunks, in order; empty for an item without chunks. */
  vectors: readonly Float32Array[];
  model: string;
}

export interface Item {
  id: string;
  type: ItemType;
  title: string;
  description: string | null;
  author: string | null;
  /** Milliseconds since 1970. */
  publishedAt: number;
  properties: Readonly<Record<string, PropertyValue>> | null;
  available: boolean;
  deleted: boolean;
  status: 'queued' | 'processing' | 'ready' | 'partial' | 'failed' | 'deferred';
  results: Results | null;
}

/** An accepted event. */
export interface Told {
  type: string;
  item: string;
  value: number;
  /** Milliseconds since 1970. */
  at: number;
}

export interface Profile {
  interests: readonly string[] | null;
  excluded_interests: readonly string[] | null;
  followed_authors: readonly string[] | null;
  hidden_authors: readonly string[] | null;
  city: string | null;
  personalization: boolean | null;
}

export const NO_PROFILE: Profile = {
  interests: null,
  excluded_interests: null,
  followed_authors: null,
  hidden_authors: null,
  city: null,
  personalization: null,
};

/** One identifier of a person with the events and settings sent under it. */
export interface Identity {
  /** `user:…` or `anonymous:…`. */
  key: string;
  /** The key of the user to whom the device is linked. */
  userKey: string | null;
  told: readonly Told[];
  profile: Profile;
}

export interface State {
  items: ReadonlyMap<string, Item>;
  /** By key; deleted ones are absent. */
  identities: ReadonlyMap<string, Identity>;
}

export type PropertyType = 'string' | 'number' | 'boolean' | 'datetime' | 'string_array';

export interface EventKind {
  code: string;
  mode: 'fact' | 'max' | 'state';
  hides: boolean;
  suppressDays: number;
  isImpression: boolean;
}

/** The part of a world that does not change. */
export interface Rulebook {
  /** Filterable properties by name. */
  properties: ReadonlyMap<string, PropertyType>;
  events: ReadonlyMap<string, EventKind>;
  /** Items that people keep using together with an item, by the published model. */
  companions: ReadonlyMap<string, ReadonlySet<string>>;
}

export function withItem(state: State, item: Item): State {
  return { ...state, items: new Map(state.items).set(item.id, item) };
}

export function withIdentities(state: State, changed: readonly Identity[], gone: readonly string[] = []): State {
  const identities = new Map(state.identities);
  for (const key of gone) identities.delete(key);
  for (const identity of changed) identities.set(identity.key, identity);
  return { ...state, identities };
}
