/**
 * Passwords: which are accepted, and where attempts are counted; for their hash see platform/process/passwordHasher.ts.
 */
import { createHash } from 'node:crypto';

/**
 * In characters. OWASP ASVS 5.0 requires a minimum of at least 8, requires that 64 be accepted (6.2.1, 6.2.9), and
 * advises against composition rules (6.2.5).
 */
export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;

/**
 * Returns the rate-limit bucket of log-in attempts to an account, whether it exists or not; it does not reveal the
 * e-mail.
 */
export function loginBucket(email: string): string {
  return `login/${createHash('sha256').update(email).digest('base64url')}`;
}
