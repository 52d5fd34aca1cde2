/** What is true of a project, as the naive model keeps it: values that a write replaces, never changes. */

export const TYPES = ['video', 'image', 'audio', 'text', 'mixed'] as const;
export type ItemType = (typeof TYPES)[number];

/** From the mildest on. */
export const AGES = ['0+', '6+', '12+', '16+', '18+'] as const;
export type Age = (typeof AGES)[number];

export type PropertyValue = string | number | boolean | readonly string[] | null;

/** What the analysis has found in an item; a new object for each analysis. */
export interface Results {
  topics: readonly string[];
  tags: readonly string[];
  age: Age | null;
  /** Of its search chunks, in order; none for an item without. */
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

/** An event that was taken. */
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

/** One identifier of a person with what was told under it. */
export interface Identity {
  /** `user:…` or `anonymous:…`. */
  key: string;
  /** The key of the user whose device it is. */
  userKey: string | null;
  told: readonly Told[];
  profile: Profile;
}

export interface State {
  items: ReadonlyMap<string, Item>;
  /** By key; who was deleted is missing. */
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

/** What does not change while a world lives. */
export interface Rulebook {
  /** Filterable properties by name. */
  properties: ReadonlyMap<string, PropertyType>;
  events: ReadonlyMap<string, EventKind>;
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
