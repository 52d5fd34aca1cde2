/** The development stack's own administrator, who signs in by a link; the stack prints a new one at each start. */
import { findUserByEmail, insertUser } from '../../../db/accounts/accounts.ts';
import { createPool } from '../../../db/pool.ts';
import { makeSignInLink } from '../../../db/accounts/signInLinks.ts';
import { unusablePasswordHash } from '../../../platform/process/passwordHasher.ts';

const LOCAL_ADMIN = 'admin@localhost';

/**
 * Makes sure that the administrator exists. @returns an address that signs that user in once; null when the user is
 * blocked
 */
export async function makeSignInUrl(databaseUrl: string, origin: string): Promise<string | null> {
  const pool = createPool({ databaseUrl, size: 1, applicationName: 'attune-dev-sign-in' });
  try {
    const passwordHash = unusablePasswordHash();
    await insertUser(pool, { email: LOCAL_ADMIN, passwordHash, role: 'admin', projects: [], sites: [] });
    const user = await findUserByEmail(pool, LOCAL_ADMIN);
    if (user === null) return null; // renamed or removed between the two statements
    const link = await makeSignInLink(pool, { userId: user.id, manager: null, publicUrl: origin });
    return link && link.url;
  } finally {
    await pool.end();
  }
}
