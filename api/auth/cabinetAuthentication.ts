/**
 * Authentication of the cabinet: `Authorization: Bearer at_…`, or the session cookie of its web app. Every request
 * looks up its caller, so that a logout, a new role and a new project take effect at once; requests of the cabinet are
 * few.
 */
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import { findTokenOwner, touchToken } from '../../db/accounts/cabinetTokens.ts';
import { findSessionUser, type CabinetUser } from '../../db/accounts/sessions.ts';
import { keyHash } from '../../domain/accounts/keyFormats.ts';
import type { Role, Scope } from '../../domain/accounts/roles.ts';
import type { IncomingRequest } from '../http/operations/apiDefinition.ts';
import { forbidden, unauthorized } from '../http/errors.ts';
import { bearerKey, refuseKeyInQuery } from './bearer.ts';
import { touchEveryMinute } from './keyCache.ts';
import type { KeyLookups } from './keyLookups.ts';
import { senderOf } from './sameOrigin.ts';
import { sessionHash } from './sessionCookie.ts';

export interface CabinetCaller {
  /** The token's name, or the user's e-mail. */
  name: string;
  role: Role;
  /** Null for a token of the installation, which belongs to no user. */
  user: { id: string; email: string } | null;
  /** The projects and sites that the caller may see; null means all. */
  scope: Scope | null;
  /** Hash of the request's session; null when it has a token. */
  sessionHash: Buffer | null;
  /** Id of the request's token; null when it has a session. */
  tokenId: string | null;
  /** The rate limit bucket of this token or session. */
  bucket: string;
  projectId?: string;
}

export type Authenticate = (request: IncomingMessage, arrival: IncomingRequest) => Promise<CabinetCaller>;

/**
 * @param publicUrl the installation's own origin
 * @returns the authentication of a request; it throws 401 without a valid token or session, 403 for a blocked user and
 *   for a change by a session that does not provably come from our own pages, and 429 for an address that guesses keys.
 *   access.ts judges the role
 */
export function createCabinetAuthentication(pool: pg.Pool, publicUrl: string, lookups: KeyLookups): Authenticate {
  const byToken = createTokenAuthentication(pool, lookups);
  const bySession = createSessionAuthentication(pool, lookups);
  return async (request, arrival) => {
    const hash =
      request.headers.authorization === undefined ? sessionHash(request.headers, arrival.peer.isHttps) : null;
    const { ip } = arrival.peer;
    const caller = hash === null ? await byToken(request, ip) : await bySession(request, ip, hash);
    const isRead = arrival.operation.method === 'get';
    if (
      hash !== null &&
      !isRead &&
      senderOf(request.headers, { publicUrl, isHttps: arrival.peer.isHttps }) !== 'own pages'
    )
      throw forbidden();
    return caller;
  };
}

function createTokenAuthentication(
  pool: pg.Pool,
  lookups: KeyLookups,
): (request: IncomingMessage, ip: string) => Promise<CabinetCaller> {
  const touch = touchEveryMinute();
  return async (request, ip) => {
    const hash = keyHash(bearerKey(request, 'cabinet'));
    const owner = await lookups.find(ip, hash, () => findTokenOwner(pool, hash));
    if (!owner) throw unauthorized();
    if (owner.user?.state === 'blocked') throw forbidden();
    touch(owner.tokenId, () => touchToken(pool, owner.tokenId));
    const { name, role, user } = owner;
    return {
      name,
      role,
      user: user && identityOf(user),
      scope: user && scopeOf(user),
      sessionHash: null,
      tokenId: owner.tokenId,
      bucket: `cabinet/${owner.tokenId}`,
    };
  };
}

function createSessionAuthentication(
  pool: pg.Pool,
  lookups: KeyLookups,
): (request: IncomingMessage, ip: string, hash: Buffer) => Promise<CabinetCaller> {
  return async (request, ip, hash) => {
    refuseKeyInQuery(request);
    const user = await lookups.find(ip, hash, () => findSessionUser(pool, hash));
    if (!user) throw unauthorized();
    if (user.state === 'blocked') throw forbidden();
    return {
      name: user.email,
      role: user.role,
      user: identityOf(user),
      scope: scopeOf(user),
      sessionHash: hash,
      tokenId: null,
      bucket: `cabinet/${hash.toString('base64url')}`,
    };
  };
}

function identityOf({ userId, email }: CabinetUser): { id: string; email: string } {
  return { id: userId, email };
}

function scopeOf({ role, projects, sites }: CabinetUser): Scope | null {
  return role === 'admin' ? null : { projects, sites };
}
