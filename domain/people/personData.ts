/**
 * The people of a site, and the data that may be sent about them. Its limits: api/analytics/personFields.ts and
 * api/analytics/users.ts for servers, tagUser.ts for the tag.
 */
import type { TagUser } from '../collect/collected.ts';

/** The owner of values: the user to whom a visitor is linked, else the visitor. */
export interface Person {
  kind: 'user' | 'visitor';
  /** The site's own id of a user, or a visitor's UUID in lower case. */
  id: string;
}

/** Returns a key for maps of people. */
export function personKey({ kind, id }: Person): string {
  return `${kind}:${id}`;
}

/** `user`: sent about the user by svc('user') or POST /users; `site`: sent by POST /visitors/attributes. */
export type ToldBy = 'site' | 'user';

/** Sources of current values, in order of precedence. */
export const VALUE_SOURCES = ['user', 'site', 'network'] as const;
export type ValueSource = (typeof VALUE_SOURCES)[number];

/** Codes of places; those that a smaller place implies may be omitted. */
export interface GivenGeo {
  /** ISO 3166-1 alpha-2. */
  country?: string;
  /** ISO 3166-2. */
  region?: string;
  /** Id of the dictionary, or a name. */
  city?: string;
}

export interface GivenCompany {
  type?: string;
  industry?: string;
  /** ISO 3166-2, or a country's code. */
  region?: string;
}

/** Data sent about a person; missing fields keep their values. */
export interface PersonData extends Omit<TagUser, 'user_id' | 'is_proven' | 'fingerprint_uuid'> {
  /** Instead of `age`. */
  age_group?: string;
  /** Instead of `city`. */
  geo?: GivenGeo;
  /** Used when the children's ages are unknown. */
  has_children?: boolean;
  company?: GivenCompany;
  /** Ids of the dictionary; replaced as a whole. */
  purchase_categories?: string[];
  price_segment?: string;
}

export interface UserDataRecord {
  /** At least one of visitorId and userId is set; both together link the visitor to the user. */
  visitorId: string | null;
  userId: string | null;
  /** True when a browser proved who its user is; missing where its site required no proof, and for servers. */
  isProven?: boolean;
  /** Only used at sites that use fingerprints. */
  fingerprint: string | null;
  data: PersonData;
  source: ToldBy;
  at: Date;
}
