/** The signed-in user, as several operations return it. */
import Type from 'typebox';
import type { StoredUser } from '../../../db/accounts/accounts.ts';
import { readPreferences, type PreferencesOfUser } from '../../../db/accounts/preferences.ts';
import type { Queryable } from '../../../db/pool.ts';
import { OWNER_QUOTA } from '../../../domain/accounts/ownerQuota.ts';
import { LANGUAGES } from '../../../domain/language.ts';
import { nullable, oneOf, type Static } from '../../../domain/schemas/schema.ts';
import type { CabinetCaller } from '../../auth/cabinetAuthentication.ts';
import { ROLE } from './userFields.ts';

export const LANGUAGE = nullable(oneOf(LANGUAGES, { description: 'Язык кабинета; null — как в браузере' }));
export const THEME = nullable(oneOf(['system', 'light', 'dark'], { description: 'Тема; null — не выбрана' }));

export const Me = Type.Object(
  {
    name: Type.String({ description: 'Имя токена или e-mail' }),
    role: ROLE,
    id: nullable(Type.String({ description: 'Пользователь; null у токена установки' })),
    email: nullable(Type.String()),
    projects: nullable(Type.Array(Type.String(), { description: 'null — все' })),
    sites: nullable(Type.Array(Type.String(), { description: 'null — все' })),
    language: LANGUAGE,
    theme: THEME,
    site_quota: nullable(
      Type.Integer({ minimum: 1, description: 'Сколько сайтов может быть у владельца; null — не владелец' }),
    ),
  },
  { title: 'Me' },
);

export const meExample = {
  name: 'anna@example.com',
  role: 'owner',
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  email: 'anna@example.com',
  projects: ['a1b2c3d4e5f6'],
  sites: [],
  language: 'ru',
  theme: null,
  site_quota: OWNER_QUOTA.sites,
};

type Identity = Pick<CabinetCaller, 'name' | 'role' | 'user' | 'scope'>;

export async function readMe(pool: Queryable, caller: Identity): Promise<Static<typeof Me>> {
  return meOf(caller, caller.user && (await readPreferences(pool, caller.user.id)));
}

/** @param preferences null for a token of the installation */
export function meOf({ name, role, user, scope }: Identity, preferences: PreferencesOfUser | null): Static<typeof Me> {
  return {
    name,
    role,
    id: user?.id ?? null,
    email: user?.email ?? null,
    projects: scope && [...scope.projects],
    sites: scope && [...scope.sites],
    language: preferences?.language ?? null,
    theme: preferences?.theme ?? null,
    site_quota: role === 'owner' && user !== null ? (preferences?.siteQuota ?? OWNER_QUOTA.sites) : null,
  };
}

/** Returns the same for a user who has just signed in. */
export function readMeOfUser(
  pool: Queryable,
  { id, email, role, projects, sites }: Pick<StoredUser, 'id' | 'email' | 'role' | 'projects' | 'sites'>,
): Promise<Static<typeof Me>> {
  const scope = role === 'admin' ? null : { projects, sites };
  return readMe(pool, { name: email, role, user: { id, email }, scope });
}
