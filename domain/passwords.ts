/** Passwords: what is accepted, and where tries are counted; their hash is process/passwordHasher.ts. */
import { createHash } from 'node:crypto';

/**
 * In characters. OWASP ASVS 5.0 asks for 8 at least and for 64 at least to be accepted (6.2.1,
 * 6.2.9), and against rules of composition (6.2.5).
 */
export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;

/** The bucket of the tries to log in to an account, known or not; the e-mail cannot be read from it. */
export function loginBucket(email: string): string {
  return `login/${createHash('sha256').update(email).digest('base64url')}`;
}
