/**
 * Tests every role at every operation of the cabinet. The operations are read from the API itself, so the rule
 * applies to a new one automatically; exceptions are listed here.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cabinetOperations, cabinetPublicOperations } from '../../../api/cabinetApi.ts';
import { requiredRoleOf } from '../../../api/auth/access.ts';
import { isAudited } from '../../../api/auth/audit.ts';
import type { Role } from '../../../domain/accounts/roles.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestUser, openBrowser, tokenOf, withHeaders } from '../support/people.ts';
import { createTestSite } from '../support/testSite.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
} from '../support/testApi.ts';

interface Tenants {
  projects: string;
  sites: string;
}

type Operation = (typeof cabinetOperations)[number];

/** The operations outside of projects and sites that are not restricted to admins, with the least role of each. */
const EXCEPTIONS: Record<string, Role> = {
  'get /me': 'viewer',
  'patch /me': 'viewer',
  'patch /me/preferences': 'viewer',
  'get /me/totp': 'viewer',
  'post /me/totp': 'viewer',
  'post /me/totp/confirm': 'viewer',
  'post /me/totp/remove': 'viewer',
  'post /logout': 'viewer',
  'post /logout-everywhere': 'viewer',
  'get /sessions': 'viewer',
  'delete /sessions/{id}': 'viewer',
  'get /tokens': 'viewer',
  'post /tokens': 'viewer',
  'delete /tokens/{id}': 'viewer',
  'get /users': 'owner',
  'post /users': 'owner',
  'patch /users/{id}': 'owner',
  'post /users/{id}/invitation': 'owner',
  'delete /users/{id}': 'owner',
  'post /sign-in-links': 'owner',
  'get /audit': 'owner',
  'get /projects': 'viewer',
  'post /projects': 'owner',
  'get /sites': 'viewer',
  'post /sites': 'owner',
  'get /webhooks/alerts': 'viewer',
  'get /troubles': 'viewer',
  'get /dictionaries/interests': 'viewer',
  'get /dictionaries/purchase-categories': 'viewer',
  'get /dictionaries/countries': 'viewer',
  'get /dictionaries/regions': 'viewer',
  'get /dictionaries/cities': 'viewer',
};
/** Operations of a project or site that read by POST, because the question is too long for a URL. */
const READ_BY_POST = [
  'post /sites/{id}/reports',
  'post /sites/{id}/reports/batch',
  'post /sites/{id}/goals/try',
  'post /projects/{id}/output/preview',
  'post /projects/{id}/output/obstacles',
];
/** Operations that make something for whoever may read, and are in the audit trail. */
const MADE_FOR_VIEWERS = ['post /sites/{id}/exports', 'post /sites/{id}/map-links'];
/**
 * Their examples contain fields that only an admin may change; test/api/cabinet/accounts/users.test.ts tests the other
 * fields.
 */
const ADMINS_BY_BODY = ['patch /projects/{id}', 'patch /sites/{id}'];

const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`;
const isOfTenant = ({ path }: Pick<Operation, 'path'>): boolean => /^\/(projects|sites)\/\{id\}/.test(path);

function expectedLeast(operation: Operation): Role {
  if (isOfTenant(operation))
    return operation.method === 'get' || [...READ_BY_POST, ...MADE_FOR_VIEWERS].includes(nameOf(operation))
      ? 'viewer'
      : 'owner';
  return EXCEPTIONS[nameOf(operation)] ?? 'admin';
}

let database: TestDatabase;
let api: TestApi;
/** The tenants of this file's users, and tenants that belong to none of them. */
let own: Tenants;
let foreign: Tenants;
const clients = new Map<Role, Client>();
/** A page of another site, open in a browser in which an administrator is signed in. */
let foreignPage: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, env: { IP_REQUESTS_PER_MINUTE: '100000' } });
  [own, foreign] = [await createTenants(), await createTenants()];
  for (const role of ['admin', 'owner', 'viewer'] as const) {
    const user = await createTestUser(database.pool, role, { projects: [own.projects], sites: [own.sites] });
    clients.set(role, clientOf(api.cabinet, await tokenOf(database.pool, user)));
  }
  // A user of its own: the others sign out everywhere.
  const { cookie } = await openBrowser(api, await createTestUser(database.pool, 'admin'));
  foreignPage = withHeaders(clientOf(api.cabinet, null), { cookie, 'sec-fetch-site': 'cross-site' });
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

async function createTenants(): Promise<Tenants> {
  return { projects: (await createTestProject(database.pool)).id, sites: (await createTestSite(database.pool)).id };
}

const NOBODYS: Tenants = { projects: 'zzzzzzzzzzzz', sites: 'zzzzzzzzzzzz' };

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const CANDIDATES = ['019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11', 'zzzzzzzzzzzz', 'abc', '1'];

/** Fills a path with the given project or site and with well-formed ids that do not exist. */
function pathOf(operation: Operation, tenants: Tenants): string {
  const { properties = {} } = (operation.params ?? {}) as { properties?: Record<string, object> };
  return operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    if (name === 'id' && isOfTenant(operation))
      return operation.path.startsWith('/sites') ? tenants.sites : tenants.projects;
    const value = CANDIDATES.find((candidate) => ajv.validate(properties[name] ?? {}, candidate));
    if (value === undefined) throw new Error(`add a candidate for ${name} of ${operation.path}`);
    return value;
  });
}

async function ask(client: Client | undefined, operation: Operation, tenants: Tenants): Promise<Answer> {
  if (!client) throw new Error('no such role');
  return client(operation.method.toUpperCase(), pathOf(operation, tenants), operation.body?.example);
}

const operations = cabinetOperations.map((operation) => [nameOf(operation), operation] as const);
const ofTenants = operations.filter(([, operation]) => isOfTenant(operation));

describe.each(operations)('%s', (name, operation) => {
  it('requires the role that its rule names', () => {
    expect(requiredRoleOf(operation)).toBe(expectedLeast(operation));
  });

  it('is in the audit trail if it changes something', () => {
    expect(isAudited(operation)).toBe(operation.method !== 'get' && !READ_BY_POST.includes(name));
  });

  it('is closed to everybody without a token', async () => {
    expect((await ask(clientOf(api.cabinet, null), operation, own)).status).toBe(401);
  });

  // proves: decisions-cabinet/viewer
  it('is refused to viewers unless they are allowed', async () => {
    const { status } = await ask(clients.get('viewer'), operation, own);
    if (expectedLeast(operation) === 'viewer') expect([401, 403, 500]).not.toContain(status);
    else expect(status).toBe(403);
  });

  it('is refused to owners unless they are allowed', async () => {
    const { status } = await ask(clients.get('owner'), operation, own);
    if (expectedLeast(operation) === 'admin' || ADMINS_BY_BODY.includes(name)) expect(status).toBe(403);
    else expect([401, 403, 500]).not.toContain(status);
  });

  // proves: decisions-cabinet/csrf
  it('is refused to a page of another site in the browser of an admin, unless it is read by GET', async () => {
    const { status } = await ask(foreignPage, operation, own);
    if (operation.method === 'get') expect([401, 403, 500]).not.toContain(status);
    else expect(status).toBe(403);
  });

  // proves: decisions-cabinet/admin
  it('is never refused to an admin', async () => {
    expect([401, 403, 500]).not.toContain((await ask(clients.get('admin'), operation, own)).status);
  });
});

describe.each(ofTenants)('%s of another owner', (_name, operation) => {
  // proves: decisions-cabinet/owner
  it('gives an owner the same answer as an unknown one', async () => {
    const [theirs, nobodys] = [
      await ask(clients.get('owner'), operation, foreign),
      await ask(clients.get('owner'), operation, NOBODYS),
    ];
    expect([theirs.status, theirs.body]).toEqual([nobodys.status, nobodys.body]);
    // The form of a request is validated before its object is looked up.
    expect([404, 400, 422]).toContain(theirs.status);
  });

  it('gives a viewer 404, or 403 where viewers are never allowed', async () => {
    const { status } = await ask(clients.get('viewer'), operation, foreign);
    if (expectedLeast(operation) === 'viewer') expect([404, 400]).toContain(status);
    else expect(status).toBe(403);
  });
});

describe('the operations without sign-in', () => {
  it('are signing in, accepting an invitation, and the description', () => {
    expect(cabinetPublicOperations.map(nameOf)).toEqual([
      'post /login',
      'post /sign-in',
      'post /invitations/accept',
      'get /openapi.json',
    ]);
  });
});

it('the list of exceptions contains nothing that does not exist', () => {
  const names = operations.map(([name]) => name);
  expect(Object.keys(EXCEPTIONS).filter((name) => !names.includes(name))).toEqual([]);
});
