/** Authentication of the cabinet: `Authorization: Bearer at_…`. */
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import { findTokenOwner, touchToken, type TokenOwner } from '../../db/cabinetTokens.ts';
import { keyHash } from '../../domain/keys.ts';
import { forbidden, unauthorized } from '../http/errors.ts';
import { bearerKey } from './bearer.ts';
import { cacheByHash, touchEveryMinute } from './keyCache.ts';

/** Only admins so far: the tokens of owners and viewers come with the projects that are theirs. */
export function createCabinetAuthentication(pool: pg.Pool): (request: IncomingMessage) => Promise<TokenOwner> {
  const ownerOf = cacheByHash((hash) => findTokenOwner(pool, hash));
  const touch = touchEveryMinute();
  return async (request) => {
    const owner = await ownerOf(keyHash(bearerKey(request, 'cabinet')));
    if (!owner) throw unauthorized();
    if (owner.role !== 'admin') throw forbidden();
    touch(owner.tokenId, () => touchToken(pool, owner.tokenId));
    return owner;
  };
}
