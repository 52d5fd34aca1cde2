/** Authentication of the content API: `Authorization: Bearer ck_…`. */
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import { findKeyOwner, touchProjectKey } from '../../db/accounts/projectKeys.ts';
import type { ProjectLimits } from '../../domain/accounts/projectLimits.ts';
import { keyHash } from '../../domain/accounts/keyFormats.ts';
import type { IncomingRequest } from '../http/operations/apiDefinition.ts';
import { forbidden, unauthorized } from '../http/errors.ts';
import { bearerKey } from './bearer.ts';
import { cacheByHash, touchEveryMinute } from './keyCache.ts';
import type { KeyLookups } from './keyLookups.ts';

export interface ProjectCaller {
  projectId: string;
  keyId: string;
  /** Only those that differ from the defaults. */
  limits: Partial<ProjectLimits>;
  /** True when device fingerprints are used. */
  fingerprints: boolean;
}

export interface ProjectAuthentication {
  /**
   * @throws {HttpError} 401, 403, or 429 for an address that guesses keys
   */
  authenticate(request: IncomingMessage, arrival: Pick<IncomingRequest, 'peer'>): Promise<ProjectCaller>;
  /** Clears the cache of keys after a change of access. */
  invalidate(): void;
}

export function createProjectAuthentication(pool: pg.Pool, lookups: KeyLookups): ProjectAuthentication {
  const { ownerOf, invalidate } = cacheByHash((hash) => findKeyOwner(pool, hash), lookups);
  const touch = touchEveryMinute();
  const authenticate: ProjectAuthentication['authenticate'] = async (request, { peer }) => {
    const owner = await ownerOf(keyHash(bearerKey(request, 'project')), peer.ip);
    if (!owner || owner.isRevoked) throw unauthorized();
    if (owner.clientState === 'blocked' || owner.projectState !== 'active') throw forbidden();
    const { projectId, keyId, limits, fingerprints } = owner;
    touch(keyId, () => touchProjectKey(pool, projectId, keyId));
    return { projectId, keyId, limits, fingerprints };
  };
  return { authenticate, invalidate };
}
