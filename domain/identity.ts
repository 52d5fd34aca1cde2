/** Who an end user is: one identity behind the identifiers that a request carries. */

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

/** Whatever names an end user, the one that decides first. Fingerprints are ignored in a project that has them switched off. */
export function identifiersOf({ userId, anonymousId, fingerprint }: EndUser, fingerprints: boolean): Identifier[] {
  const found: Identifier[] = [];
  if (userId !== null) found.push({ kind: 'user', externalId: userId });
  if (anonymousId !== null) found.push({ kind: 'anonymous', externalId: anonymousId });
  if (fingerprints && fingerprint !== null) found.push({ kind: 'fingerprint', externalId: fingerprint });
  return found;
}

/**
 * The identifier that decides: user_id beats anonymous_id beats fingerprint_uuid.
 * @param fingerprints whether the project has device fingerprints switched on; they are ignored otherwise
 * @returns null when nothing that counts is set
 */
export function identifierOf(user: EndUser, fingerprints: boolean): Identifier | null {
  return identifiersOf(user, fingerprints)[0] ?? null;
}

/** A key for maps of identifiers. */
export function identifierKey({ kind, externalId }: Identifier): string {
  return `${kind}:${externalId}`;
}
