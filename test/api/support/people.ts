/** Users of the cabinet, their tokens, and browsers in which they log in. */
import { scryptSync } from 'node:crypto';
import type pg from 'pg';
import { insertUserToken } from '../../../db/accounts/cabinetTokens.ts';
import { insertUser } from '../../../db/accounts/accounts.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import type { Role } from '../../../domain/accounts/roles.ts';
import { clientOf, LOW_COST, type Answer, type Client, type TestApi } from './testApi.ts';

export const PASSWORD = 'correct horse battery';
let count = 0;

export interface Person {
  id: string;
  email: string;
}

interface UserOptions {
  projects?: string[];
  sites?: string[];
}

/** Creates a user whose password is `PASSWORD`. */
export async function createTestUser(
  pool: pg.Pool,
  role: Role,
  { projects = [], sites = [] }: UserOptions = {},
): Promise<Person> {
  const passwordHash = cheapHash(PASSWORD);
  const user = await insertUser(pool, { email: `${role}-${count++}@example.com`, passwordHash, role, projects, sites });
  if (typeof user === 'string') throw new Error(`no user was stored: ${user}`);
  return { id: user.id, email: user.email };
}

/** Hashes in the format of platform/process/passwordHasher.ts, at the cost of the tests' API. */
export function cheapHash(password: string): string {
  const { logN, r, p } = LOW_COST;
  const salt = Buffer.from('0123456789abcdef');
  const derived = scryptSync(password, salt, 32, { cost: 2 ** logN, blockSize: r, parallelization: p });
  return `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString('base64')}$${derived.toString('base64')}`;
}

export async function tokenOf(pool: pg.Pool, user: Person): Promise<string> {
  const token = newKey('cabinet');
  if (typeof (await insertUserToken(pool, user.id, { name: 'test', ...storedKey(token) })) === 'string')
    throw new Error('no token was stored');
  return token;
}

/** Headers that a browser sends from the cabinet's own pages. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

export interface Browser {
  call: Client;
  /** `name=secret`, as the browser returns it. */
  cookie: string;
  /** The whole Set-Cookie header of the login. */
  setCookie: string;
}

export function logIn(
  api: TestApi,
  email: string,
  password: string = PASSWORD,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return clientOf(api.cabinet, null)('POST', '/login', { email, password }, { headers });
}

/** Opens a browser session in which the user is logged in. */
export async function openBrowser(api: TestApi, user: Person): Promise<Browser> {
  const answer = await logIn(api, user.email);
  if (answer.status !== 200) throw new Error(`the login answered ${answer.status}`);
  const setCookie = answer.headers.get('set-cookie') ?? '';
  const cookie = setCookie.split(';')[0] ?? '';
  return { cookie, setCookie, call: withHeaders(clientOf(api.cabinet, null), { cookie, ...OWN_PAGE }) };
}

export function withHeaders(client: Client, headers: Record<string, string>): Client {
  return (method, path, body, init = {}) =>
    client(method, path, body, {
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
    });
}
