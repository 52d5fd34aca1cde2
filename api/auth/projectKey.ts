/** Authentication of the content API: `Authorization: Bearer ck_…`. */
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import { findKeyOwner, touchProjectKey, type ProjectLimits } from '../../db/projectKeys.ts';
import { keyHash } from '../../domain/keys.ts';
import { forbidden, unauthorized } from '../http/errors.ts';
import { bearerKey } from './bearer.ts';
import { cacheByHash, touchEveryMinute } from './keyCache.ts';

export interface ProjectCaller {
  projectId: string;
  keyId: string;
  limits: ProjectLimits;
  /** Whether device fingerprints count. */
  fingerprints: boolean;
}

/** @returns what authenticates a request; it throws 401 or 403 */
export function createProjectAuthentication(pool: pg.Pool): (request: IncomingMessage) => Promise<ProjectCaller> {
  const ownerOf = cacheByHash((hash) => findKeyOwner(pool, hash));
  const touch = touchEveryMinute();
  return async (request) => {
    const owner = await ownerOf(keyHash(bearerKey(request, 'project')));
    if (!owner || owner.isRevoked) throw unauthorized();
    if (owner.clientState === 'blocked' || owner.projectState !== 'active') throw forbidden();
    const { projectId, keyId, limits, fingerprints } = owner;
    touch(keyId, () => touchProjectKey(pool, projectId, keyId));
    return { projectId, keyId, limits, fingerprints };
  };
}
