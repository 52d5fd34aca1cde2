/** Authentication of the tag: the public key `as_…` that a batch itself names. */
import type pg from 'pg';
import { touchTagKey } from '../../db/sites/keys.ts';
import { findTagKeySite } from '../../db/sites/settings.ts';
import { hasKeyFormat, keyHash } from '../../domain/keys.ts';
import type { SiteSettings } from '../../domain/sites.ts';
import { forbidden, unauthorized } from '../http/errors.ts';
import { cacheByHash, touchEveryMinute } from './keyCache.ts';

export interface TagKeyAuthentication {
  /**
   * The site of a key, as the body has it: of any type.
   * @throws {HttpError} 401: none, unknown, revoked or of another kind; 403: the site or its owner is blocked
   */
  siteOf(key: unknown): Promise<SiteSettings>;
  /** Forgets what it remembers of keys and sites: something of them has changed. */
  forget(): void;
}

export function createTagKeyAuthentication(pool: pg.Pool): TagKeyAuthentication {
  const { ownerOf, forget } = cacheByHash((hash) => findTagKeySite(pool, hash));
  const touch = touchEveryMinute();
  const siteOf = async (key: unknown): Promise<SiteSettings> => {
    if (typeof key !== 'string' || !hasKeyFormat('tag', key)) throw unauthorized();
    const hash = keyHash(key);
    const site = await ownerOf(hash);
    if (site === null) throw unauthorized();
    if (site.access !== 'open') throw forbidden();
    touch(key, () => touchTagKey(pool, hash));
    return site;
  };
  return { siteOf, forget };
}
