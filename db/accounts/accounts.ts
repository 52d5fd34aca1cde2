/** Users of the cabinet. */
import type pg from 'pg';
import type { Role, Scope, TenantKind } from '../../domain/accounts/roles.ts';
import { inTransaction, type Queryable } from '../pool.ts';

/** `invited`: an invitation waits; there is no account yet. */
export type UserState = 'active' | 'blocked' | 'invited';

export interface StoredUser {
  id: string;
  email: string;
  role: Role;
  state: UserState;
  projects: string[];
  sites: string[];
  /** Null means the default, OWNER_QUOTA. */
  siteQuota: number | null;
  createdAt: Date;
  lastLoginAt: Date | null;
}

export interface NewUser {
  /** Lower-case. */
  email: string;
  passwordHash: string;
  role: Role;
  projects: readonly string[];
  sites: readonly string[];
}

/** The fields that a change sets; absent fields keep their values. */
export type UserChange = Partial<NewUser & { state: Exclude<UserState, 'invited'>; siteQuota: number | null }>;

const COLUMNS = `id, email, role, state, projects, sites, site_quota as "siteQuota", created_at as "createdAt", last_login_at as "lastLoginAt"`;

/**
 * SQL condition: the user is managed by the owner of the scope, that is, a viewer who sees part of that scope and
 * nothing else. A null scope manages everybody. It is part of each statement, so that a user cannot change between the
 * check and the write.
 */
export const isManaged = (projects: string, sites: string): string =>
  `(${projects}::text[] is null or ${isViewerOf(projects, sites)})`;

/** SQL condition: a row of `viewer` is a viewer who sees part of a scope and nothing outside it. */
export const isViewerOf = (projects: string, sites: string, viewer = ''): string => {
  const [role, ofProjects, ofSites] = ['role', 'projects', 'sites'].map((column) => `${viewer}${column}`);
  return `(${role} = 'viewer' and ${ofProjects} <@ ${projects} and ${ofSites} <@ ${sites} and cardinality(${ofProjects}) + cardinality(${ofSites}) > 0)`;
};

/**
 * `taken`: another user has the e-mail. The others: an owner would exceed OWNER_QUOTA (domain/accounts/ownerQuota.ts)
 * or the owner's own quota.
 */
export type UserRefusal = 'taken' | 'too_many_projects' | 'too_many_sites';

/** Constraints of the table by name, each with the refusal it stands for; they hold however a row is changed. */
const REFUSALS = new Map<unknown, UserRefusal>([
  ['users_email_key', 'taken'],
  ['users_owner_projects', 'too_many_projects'],
  ['users_owner_sites', 'too_many_sites'],
  ['invitations_owner_projects', 'too_many_projects'],
  ['invitations_owner_sites', 'too_many_sites'],
]);

/** Returns the statement's result, or its refusal as a value. @throws any other error of the statement */
export async function orRefusal<T>(statement: Promise<T>): Promise<T | UserRefusal> {
  try {
    return await statement;
  } catch (error) {
    const refusal = error instanceof Error && 'constraint' in error ? REFUSALS.get(error.constraint) : undefined;
    if (refusal === undefined) throw error;
    return refusal;
  }
}

/** Creates a user. */
export async function insertUser(pool: Queryable, user: NewUser): Promise<StoredUser | UserRefusal> {
  const result = await orRefusal(
    pool.query<StoredUser>(
      `insert into users (email, password_hash, role, projects, sites) values ($1, $2, $3, $4, $5)
     on conflict (email) do nothing returning ${COLUMNS}`,
      [user.email, user.passwordHash, user.role, user.projects, user.sites],
    ),
  );
  return typeof result === 'string' ? result : (result.rows[0] ?? 'taken');
}

/** Returns a user with the hash of the password; null when there is none. */
export async function findUserByEmail(
  pool: Queryable,
  email: string,
): Promise<(StoredUser & { passwordHash: string }) | null> {
  const { rows } = await pool.query<StoredUser & { passwordHash: string }>(
    `select ${COLUMNS}, password_hash as "passwordHash" from users where email = $1`,
    [email],
  );
  return rows[0] ?? null;
}

/** Returns the users whom `manager` manages and the pending invitations, in order of creation, after the given id. */
export async function listUsers(
  pool: Queryable,
  manager: Scope | null,
  page: { after: string | null; limit: number },
): Promise<StoredUser[]> {
  const { rows } = await pool.query<StoredUser>(
    `select ${COLUMNS} from users where ($1::uuid is null or id > $1) and ${isManaged('$3', '$4')}
     union all
     select id, email, role, 'invited', projects, sites, null, created_at, null from invitations
      where ($1::uuid is null or id > $1) and user_id is null and expires_at > now() and ${isManaged('$3', '$4')}
     order by id limit $2`,
    [page.after, page.limit, manager?.projects ?? null, manager?.sites ?? null],
  );
  return rows;
}

/** SQL condition: the change lets the user do or see more. Nobody sees more than an admin. */
const IS_WIDER = `(old_role <> 'admin'
  and (array_position(array['viewer', 'owner', 'admin'], coalesce($4, old_role)) > array_position(array['viewer', 'owner', 'admin'], old_role)
       or not coalesce($5, old_projects) <@ old_projects or not coalesce($6, old_sites) <@ old_sites))`;

export interface ChangedUser extends StoredUser {
  /**
   * The user may do or see more than before: their sessions, tokens and second factor were removed, and also their
   * password unless it is new.
   */
  isWider: boolean;
}

/**
 * Changes the named fields. A new password ends the user's sessions and the invitation to set one. A wider role or
 * scope ends every way into the account: nobody who had access to the account before, such as the person who created
 * it, may get the new rights.
 * @param lostPassword a hash that no password has, for an account whose password becomes void
 * @returns null when `manager` manages no such user, or when the user would no longer see anything of the manager's
 * scope
 */
export async function updateUser(
  pool: pg.Pool,
  id: string,
  change: UserChange,
  { manager, lostPassword }: { manager: Scope | null; lostPassword: string },
): Promise<ChangedUser | UserRefusal | null> {
  return orRefusal(
    inTransaction(pool, async (client) => {
      await lockUser(client, id);
      return writeChange(client, id, change, { manager, lostPassword });
    }),
  );
}

/** Locks a user's row until the end of the transaction. Later statements see the changes that the lock waited for. */
export async function lockUser(client: Queryable, id: string): Promise<void> {
  await client.query('select from users where id = $1 for update', [id]);
}

async function writeChange(
  client: Queryable,
  id: string,
  change: UserChange,
  { manager, lostPassword }: { manager: Scope | null; lostPassword: string },
): Promise<ChangedUser | null> {
  const { rows } = await client.query<ChangedUser>(
    `with before as (
       select id as old_id, role as old_role, projects as old_projects, sites as old_sites from users where id = $1),
     changed as (
       update users set
              email         = coalesce($2, email),
              password_hash = coalesce($3, case when ${IS_WIDER} then $12 end, password_hash),
              role          = coalesce($4, role),
              projects      = coalesce($5, projects),
              sites         = coalesce($6, sites),
              state         = coalesce($7, state),
              site_quota    = case when $10 then $11 else site_quota end,
              totp_secret   = case when not ${IS_WIDER} then totp_secret end,
              totp_since    = case when not ${IS_WIDER} then totp_since end
         from before
        where id = old_id and ${isManaged('$8', '$9')}
          and ($8::text[] is null or cardinality(coalesce($5, projects)) + cardinality(coalesce($6, sites)) > 0)
       returning ${COLUMNS}, ${IS_WIDER} as "isWider"),
     ended as (delete from sessions where user_id in (select id from changed where $3::text is not null or "isWider")),
     uninvited as (delete from invitations where user_id in (select id from changed where $3::text is not null or "isWider")),
     revoked as (
       update cabinet_tokens set revoked_at = now()
        where revoked_at is null and user_id in (select id from changed where "isWider")),
     forgotten as (delete from recovery_codes where user_id in (select id from changed where "isWider"))
     select * from changed`,
    [
      id,
      change.email ?? null,
      change.passwordHash ?? null,
      change.role ?? null,
      change.projects ?? null,
      change.sites ?? null,
      change.state ?? null,
      manager?.projects ?? null,
      manager?.sites ?? null,
      change.siteQuota !== undefined,
      change.siteQuota ?? null,
      lostPassword,
    ],
  );
  return rows[0] ?? null;
}

/**
 * Replaces a user's own password, and ends the user's sessions and the invitation to set one.
 * @returns false when the old password is no longer the user's: it has changed since it was checked
 */
export function changePassword(pool: pg.Pool, id: string, hashes: { old: string; fresh: string }): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await lockUser(client, id);
    const { rowCount } = await client.query(
      `with changed as (update users set password_hash = $3 where id = $1 and password_hash = $2 returning id),
       ended as (delete from sessions where user_id in (select id from changed)),
       uninvited as (delete from invitations where user_id in (select id from changed))
       select from changed`,
      [id, hashes.old, hashes.fresh],
    );
    return rowCount === 1;
  });
}

/** Returns true when `manager` manages a user with this id. */
export async function isManagedUser(pool: Queryable, id: string, manager: Scope | null): Promise<boolean> {
  const { rowCount } = await pool.query(`select from users where id = $1 and ${isManaged('$2', '$3')}`, [
    id,
    manager?.projects ?? null,
    manager?.sites ?? null,
  ]);
  return rowCount === 1;
}

/** Stores a hash of the same password at the current cost, unless the password has changed in the meantime. */
export async function renewPasswordHash(
  pool: Queryable,
  id: string,
  hashes: { old: string; fresh: string },
): Promise<void> {
  await pool.query('update users set password_hash = $3 where id = $1 and password_hash = $2', [
    id,
    hashes.old,
    hashes.fresh,
  ]);
}

/** Removes a user with their sessions and tokens; false when `manager` manages no such user. */
export async function deleteUser(pool: Queryable, id: string, manager: Scope | null): Promise<boolean> {
  const { rowCount } = await pool.query(`delete from users where id = $1 and ${isManaged('$2', '$3')}`, [
    id,
    manager?.projects ?? null,
    manager?.sites ?? null,
  ]);
  return rowCount === 1;
}

/**
 * Gives an owner a project or a site.
 * @returns false when the owner is at the limit: in that case the transaction has failed
 */
export async function giveTenant(client: Queryable, userId: string, kind: TenantKind, id: string): Promise<boolean> {
  const result = await orRefusal(
    client.query(`update users set ${kind} = array_append(${kind}, $2) where id = $1 and $2 <> all(${kind})`, [
      userId,
      id,
    ]),
  );
  return typeof result !== 'string';
}

/** Returns those of the given ids that name no project or site. */
export async function findUnknownTenants(pool: Queryable, { projects, sites }: Scope): Promise<Scope> {
  const { rows } = await pool.query<{ projects: string[]; sites: string[] }>(
    `select array(select p from unnest($1::text[]) p where not exists (select from projects where id = p)) as projects,
            array(select s from unnest($2::text[]) s where not exists (select from sites where id = s)) as sites`,
    [projects, sites],
  );
  return rows[0] ?? { projects: [], sites: [] };
}
