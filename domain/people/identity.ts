/**
 * Who an end user is: one identity behind the identifiers that a request carries. Which account a device belongs to:
 * db/people/linkUser.ts.
 */

/** The identifiers of one end user as a request carries them; at least one is set. */
export interface EndUser {
  /** The account on the client's side. */
  userId: string | null;
  /** The browser or device. */
  anonymousId: string | null;
  /** Lower-case UUID of a device-fingerprint service. */
  fingerprint: string | null;
}

export type IdentityKind = 'user' | 'anonymous' | 'fingerprint';

/** The identifier by which an end user is found. */
export interface Identifier {
  kind: IdentityKind;
  externalId: string;
}

/**
 * Returns all identifiers of an end user, the deciding one first. Fingerprints are ignored in a project that has turned
 * them off.
 */
export function identifiersOf({ userId, anonymousId, fingerprint }: EndUser, fingerprints: boolean): Identifier[] {
  const found: Identifier[] = [];
  if (userId !== null) found.push({ kind: 'user', externalId: userId });
  if (anonymousId !== null) found.push({ kind: 'anonymous', externalId: anonymousId });
  if (fingerprints && fingerprint !== null) found.push({ kind: 'fingerprint', externalId: fingerprint });
  return found;
}

/**
 * Returns the deciding identifier: user_id before anonymous_id before fingerprint_uuid.
 * @param fingerprints true when the project uses device fingerprints; they are ignored otherwise
 * @returns null when no usable identifier is set
 */
export function identifierOf(user: EndUser, fingerprints: boolean): Identifier | null {
  return identifiersOf(user, fingerprints)[0] ?? null;
}

/** Returns a key for maps of identifiers. */
export function identifierKey({ kind, externalId }: Identifier): string {
  return `${kind}:${externalId}`;
}
