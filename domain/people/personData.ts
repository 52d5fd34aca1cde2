/** Who people of a site are, and what may be told of them. */
import type { TagUser } from '../collected.ts';

/** Whose values they are: the user that a visitor is linked to, else the visitor. */
export interface Person {
  kind: 'user' | 'visitor';
  /** The site's own id of a user, or a visitor's UUID in lower case. */
  id: string;
}

/** A key for maps of people. */
export function personKey({ kind, id }: Person): string {
  return `${kind}:${id}`;
}

/** `user`: told of the user by svc('user') or POST /users; `site`: by POST /visitors/attributes. */
export type ToldBy = 'site' | 'user';

/** Where a value that holds comes from, in the order of precedence. */
export const VALUE_SOURCES = ['user', 'site', 'network'] as const;
export type ValueSource = (typeof VALUE_SOURCES)[number];

/** Codes of places; what a smaller one implies may be left out. */
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

/** What is told of a person; fields that are missing stay as they are. */
export interface PersonData extends Omit<TagUser, 'user_id' | 'is_proven' | 'fingerprint_uuid'> {
  /** Instead of `age`. */
  age_group?: string;
  /** Instead of `city`. */
  geo?: GivenGeo;
  /** Where the children's ages are not known. */
  has_children?: boolean;
  company?: GivenCompany;
  /** Ids of the dictionary; replaced as a whole. */
  purchase_categories?: string[];
  price_segment?: string;
}

export interface UserDataRecord {
  /** At least one of visitorId and userId; both together link the visitor to the user. */
  visitorId: string | null;
  userId: string | null;
  /** Whether a browser proved who its user is; missing where its site asked for no proof, and of servers. */
  isProven?: boolean;
  /** Counts at sites that use fingerprints only. */
  fingerprint: string | null;
  data: PersonData;
  source: ToldBy;
  at: Date;
}
