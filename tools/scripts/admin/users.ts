/** Commands for the users of the cabinet; they create the first administrator. */
import { refillBucket } from '../../../db/installation/rateLimitCounters.ts';
import {
  deleteUser,
  findUnknownTenants,
  findUserByEmail,
  insertUser,
  listUsers,
  updateUser,
  type StoredUser,
} from '../../../db/accounts/accounts.ts';
import { removeSecondFactor } from '../../../db/accounts/secondFactor.ts';
import { makeSignInLink, SIGN_IN_LINK_MINUTES } from '../../../db/accounts/signInLinks.ts';
import { newPassword } from '../../../domain/accounts/keyFormats.ts';
import { loginBucket, PASSWORD_LENGTH } from '../../../domain/accounts/passwords.ts';
import { OWNER_QUOTA } from '../../../domain/accounts/ownerQuota.ts';
import { ROLES, type Role, type Scope, type TenantKind } from '../../../domain/accounts/roles.ts';
import { createPasswordHasher, unusablePasswordHash } from '../../../platform/process/passwordHasher.ts';
import { required, type Command, type Values } from './command.ts';
import { readSetting, type AdminContext } from './context.ts';
import { UsageError } from './usageError.ts';

const PAGE = 200;
const EMAIL = /^[!-?A-~]{1,250}@[A-Za-z0-9.-]{1,250}$/;
const MAX_EMAIL = 254;
const PASSWORD_OPTION = '[--password -]';

const addUser: Command = {
  name: 'user add',
  usage: `--email EMAIL --role ${ROLES.toReversed().join('|')} [--projects ID,ID] [--sites ID,ID] ${PASSWORD_OPTION}`,
  about:
    'adds a user to the cabinet; prints a new password, once, unless --password - reads one from the standard input',
  options: {
    email: { type: 'string' },
    role: { type: 'string' },
    projects: { type: 'string' },
    sites: { type: 'string' },
    password: { type: 'string' },
  },
  async run(context, values) {
    const email = readEmail(addUser, values);
    const role = readRole(required(addUser, values, 'role'));
    const tenants = await readTenants(context, values);
    const { password, lines } = await readPassword(context, values);
    const passwordHash = await createPasswordHasher().hash(password);
    const user = await insertUser(context.pool, { email, passwordHash, role, ...tenants });
    if (user === 'taken')
      throw new UsageError(`the user ${email} exists already: npm run admin -- user password --email ${email}`);
    if (typeof user === 'string') throw tooMany(user === 'too_many_sites' ? 'sites' : 'projects', tenants);
    return [`id       ${user.id}`, ...lines];
  },
};

const showUsers: Command = {
  name: 'user list',
  usage: '',
  about: 'prints id, role, state and e-mail of every user',
  options: {},
  async run({ pool }) {
    const lines: string[] = [];
    for (let after: string | null = null; ;) {
      const page: StoredUser[] = await listUsers(pool, null, { after, limit: PAGE });
      lines.push(...page.map(({ id, role, state, email }) => `${id}  ${role.padEnd(6)}  ${state.padEnd(7)}  ${email}`));
      after = page.at(-1)?.id ?? null;
      if (page.length < PAGE) return lines.length > 0 ? lines : ['no users yet'];
    }
  },
};

const setPassword: Command = {
  name: 'user password',
  usage: `--email EMAIL ${PASSWORD_OPTION}`,
  about: 'gives a user a new password, lifts a block and ends the sessions',
  options: { email: { type: 'string' }, password: { type: 'string' } },
  async run(context, values) {
    const { id, email } = await userOf(context, setPassword, values);
    const { password, lines } = await readPassword(context, values);
    await updateUser(
      context.pool,
      id,
      { passwordHash: await createPasswordHasher().hash(password), state: 'active' },
      { manager: null, lostPassword: unusablePasswordHash() },
    );
    await refillBucket(context.pool, loginBucket(email));
    return [`id       ${id}`, ...lines];
  },
};

const removeFactor: Command = {
  name: 'user totp-off',
  usage: '--email EMAIL',
  about: 'removes the second factor of a user who has lost it and the recovery codes; make sure first who is asking',
  options: { email: { type: 'string' } },
  async run(context, values) {
    const { id, email } = await userOf(context, removeFactor, values);
    if (!(await removeSecondFactor(context.pool, id))) throw new UsageError(`${email} has no second factor`);
    return [`id       ${id}`, 'From now on the password alone is enough to log in.'];
  },
};

const makeLink: Command = {
  name: 'user link',
  usage: '--email EMAIL',
  about: `prints an address that signs a user in without a password, once and within ${SIGN_IN_LINK_MINUTES} minutes`,
  options: { email: { type: 'string' } },
  async run(context, values) {
    const publicUrl = publicUrlOf(context);
    const { id, email } = await userOf(context, makeLink, values);
    const link = await makeSignInLink(context.pool, { userId: id, manager: null, publicUrl });
    if (link === null) throw new UsageError(`${email} is blocked: npm run admin -- user password --email ${email}`);
    return [link.url];
  },
};

const removeUser: Command = {
  name: 'user remove',
  usage: '--email EMAIL',
  about: 'removes a user with all sessions and tokens; projects stay',
  options: { email: { type: 'string' } },
  async run(context, values) {
    const { id, email } = await userOf(context, removeUser, values);
    await deleteUser(context.pool, id, null);
    return [`removed ${email}`];
  },
};

export const userCommands: readonly Command[] = [addUser, showUsers, setPassword, makeLink, removeFactor, removeUser];

function readEmail(command: Command, values: Values): string {
  const email = required(command, values, 'email').toLowerCase();
  if (!EMAIL.test(email) || email.length > MAX_EMAIL)
    throw new UsageError(`--email "${email}" is not an address such as anna@example.com`);
  return email;
}

function readRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined) throw new UsageError(`--role "${text}" is not one of ${ROLES.toReversed().join(', ')}`);
  return role;
}

async function readTenants({ pool }: AdminContext, values: Values): Promise<Scope> {
  const given = { projects: idsOf(values.projects), sites: idsOf(values.sites) };
  const unknown = await findUnknownTenants(pool, given);
  if (unknown.projects[0] !== undefined)
    throw new UsageError(`there is no project ${unknown.projects[0]}: npm run admin -- project list`);
  if (unknown.sites[0] !== undefined)
    throw new UsageError(`there is no site ${unknown.sites[0]}: npm run admin -- site list`);
  return given;
}

function idsOf(text = ''): string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((id) => id.trim())
        .filter((id) => id !== ''),
    ),
  ];
}

function tooMany(kind: TenantKind, given: Scope): UsageError {
  return new UsageError(`--${kind} names ${given[kind].length}, but an owner may have at most ${OWNER_QUOTA[kind]}`);
}

/**
 * Reads or generates a password. On the command line it would appear in the shell's history and in the list of
 * processes.
 */
async function readPassword(
  { readInput }: AdminContext,
  values: Values,
): Promise<{ password: string; lines: string[] }> {
  if (values.password === undefined) {
    const password = newPassword();
    return { password, lines: [`password ${password}`, 'The password is not stored and cannot be shown again.'] };
  }
  if (values.password !== '-')
    throw new UsageError('a password must not be on the command line: --password - reads it from the standard input');
  const password = (await readInput()).replace(/\r?\n$/, '');
  const { length } = [...password];
  if (length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max)
    throw new UsageError(
      `the password has ${length} characters: it needs ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max}`,
    );
  return { password, lines: ['The password was read from the standard input.'] };
}

async function userOf({ pool }: AdminContext, command: Command, values: Values): Promise<StoredUser> {
  const email = readEmail(command, values);
  const user = await findUserByEmail(pool, email);
  if (user === null) throw new UsageError(`there is no user ${email}: npm run admin -- user list`);
  return user;
}

function publicUrlOf({ env }: AdminContext): string {
  const url = readSetting(env, 'PUBLIC_URL');
  if (!URL.canParse(url)) throw new UsageError('PUBLIC_URL is not set: the link begins with it');
  return url.replace(/\/+$/, '');
}
