/** Checks a browser's proof of its user: `user_hash` of svc('user'), computed by the site's server. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TagUser } from '../../../domain/collect/collected.ts';
import { decryptSecret, identitySecretContext } from '../../../domain/accounts/secretKeys.ts';
import type { SiteSettings } from '../../../domain/sites/siteSettings.ts';

/** @param hash user_hash as received, of any type */
export type ProveUser = (user: TagUser, hash: unknown) => TagUser;

const HASH = /^[0-9a-f]{64}$/;

/**
 * Marks users as proven or not at sites with a secret, and removes a user_id without a proof where the site requires
 * one. Other sites' users are unchanged. Secrets are decrypted once for as long as the site's settings are cached.
 * @param identityKey the derived key `identity-secrets`
 */
export function createProofs(identityKey: Buffer): (site: SiteSettings) => ProveUser {
  const known = new WeakMap<Buffer, string>();
  const secretOf = (encrypted: Buffer, siteId: string): string => {
    const context = identitySecretContext(siteId);
    const secret = known.get(encrypted) ?? decryptSecret(identityKey, encrypted, context);
    known.set(encrypted, secret);
    return secret;
  };
  return ({ siteId, identitySecret, requireUserHash }) =>
    (user, hash) => {
      const { user_id: userId, ...rest } = user;
      if (identitySecret === null || userId === undefined) return user;
      const isProven = proves(secretOf(identitySecret, siteId), userId, hash);
      return isProven || !requireUserHash ? { ...user, is_proven: isProven } : rest;
    };
}

function proves(secret: string, userId: string, hash: unknown): boolean {
  if (typeof hash !== 'string' || !HASH.test(hash)) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(userId).digest(), Buffer.from(hash, 'hex'));
}
