/** A user's display preferences and quota of sites. */
import type { Language } from '../../domain/language.ts';
import type { Queryable } from '../pool.ts';

export type StoredTheme = 'system' | 'light' | 'dark';

export interface Preferences {
  /** Null means the browser's setting. */
  language: Language | null;
  theme: StoredTheme | null;
}

export interface PreferencesOfUser extends Preferences {
  /** Null means the default, OWNER_QUOTA. */
  siteQuota: number | null;
}

const COLUMNS = `language, theme, site_quota as "siteQuota"`;

/** Returns null when the user no longer exists. */
export async function readPreferences(pool: Queryable, userId: string): Promise<PreferencesOfUser | null> {
  const { rows } = await pool.query<PreferencesOfUser>(`select ${COLUMNS} from users where id = $1`, [userId]);
  return rows[0] ?? null;
}

/** Changes the named fields; null resets one to the browser's setting. */
export async function writePreferences(
  pool: Queryable,
  userId: string,
  { language, theme }: Partial<Preferences>,
): Promise<PreferencesOfUser | null> {
  const { rows } = await pool.query<PreferencesOfUser>(
    `update users set language = case when $2 then $3 else language end, theme = case when $4 then $5 else theme end
      where id = $1 returning ${COLUMNS}`,
    [userId, language !== undefined, language ?? null, theme !== undefined, theme ?? null],
  );
  return rows[0] ?? null;
}
