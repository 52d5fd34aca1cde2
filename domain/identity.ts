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

/**
 * The identifier that decides: user_id beats anonymous_id beats fingerprint_uuid.
 * @param fingerprints whether the project has device fingerprints switched on; they are ignored otherwise
 * @returns null when nothing that counts is set
 */
export function identifierOf(user: EndUser, fingerprints: boolean): Identifier | null {
  if (user.userId !== null) return { kind: 'user', externalId: user.userId };
  if (user.anonymousId !== null) return { kind: 'anonymous', externalId: user.anonymousId };
  if (fingerprints && user.fingerprint !== null) return { kind: 'fingerprint', externalId: user.fingerprint };
  return null;
}

/** A key for maps of identifiers. */
export function identifierKey({ kind, externalId }: Identifier): string {
  return `${kind}:${externalId}`;
}
