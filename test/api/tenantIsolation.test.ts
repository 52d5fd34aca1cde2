/**
 * Ids of another owner, one at a time, at every operation of the three descriptions: 404, and the other's rows are as
 * they were. Driven by the descriptions, so that a new operation is held to it without being named here.
 */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { analyticsOperations } from '../../api/analytics/api.ts';
import { cabinetOperations } from '../../api/cabinet/api.ts';
import { contentOperations } from '../../api/content/api.ts';
import type { AnyOperation } from '../../api/http/operation.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createWorld, pathIn, QUERY_VALUES, type World } from './support/examples.ts';
import { createTestUser, tokenOf } from './support/people.ts';
import { clientOf, startTestApi, type Answer, type Client, type TestApi } from './support/testApi.ts';

jest.setTimeout(300_000);

let database: TestDatabase;
let api: TestApi;
let mine: World;
let theirs: World;
/** The owner of everything in `mine`. */
let owner: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, env: { IP_REQUESTS_PER_MINUTE: '100000' } });
  [mine, theirs] = [await createWorld(api, database), await createWorld(api, database)];
  const user = await createTestUser(database.pool, 'owner', {
    projects: [mine.project.id],
    sites: [siteOf(mine)],
  });
  owner = clientOf(api.cabinet, await tokenOf(database.pool, user));
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const siteOf = ({ paths }: World): string => paths['/sites/{id}'] ?? '';

/** A text that changes when any row of the other's project, site or account does. */
async function rowsOfTheirs(): Promise<string> {
  const { rows } = await database.pool.query<{ name: string; key: string }>(
    `select table_name as name, column_name as key from information_schema.columns c
      where table_schema = 'public' and column_name in ('project_id', 'site_id')
        and exists (select from information_schema.tables t where t.table_schema = 'public' and t.table_name = c.table_name and t.table_type = 'BASE TABLE')
        and table_name <> 'audit_log'
      order by 1, 2`,
  );
  const own = [
    ['projects', 'id', '$1'],
    ['sites', 'id', '$2'],
    ['users', 'id::text', '$3'],
    ...rows.map(({ name, key }) => [name, key, key === 'project_id' ? '$1' : '$2']),
  ];
  const digests = own.map(
    ([table, key, value]) =>
      `select '${table}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest from "${table}" t where ${key} = ${value}`,
  );
  const result = await database.pool.query(
    `select json_agg(d) as digests from (${digests.join(' union all ')}) d where $1 <> '' and $2 <> '' and $3 <> ''`,
    [theirs.project.id, siteOf(theirs), theirs.user.id],
  );
  return JSON.stringify(result.rows);
}

async function send(client: Client, operation: AnyOperation, path: string): Promise<Answer> {
  const example = operation.body?.example;
  const [type, content] = Object.entries(operation.upload?.contentTypes ?? {})[0] ?? [];
  const properties = (operation.query as { properties?: object } | undefined)?.properties ?? {};
  const query = Object.entries(QUERY_VALUES).filter(([name]) => name in properties);
  const address = query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`;
  const method = operation.method.toUpperCase();
  return type === undefined
    ? client(method, address, example)
    : client(method, address, content, { headers: { 'content-type': type } });
}

/** Names that a site or a project gives itself: another's mean something of one's own, or nothing. */
const OWN_NAMES = ['{item}', '{code}', '{name}', '{seq}', '{visitor_id}', '{user_id}'];

/** The places of a path's ids in the world. */
function idsOf({ path }: AnyOperation): string[] {
  const [kind] = path.match(/^\/\w+/) ?? [];
  const heads = path.match(/^\/\w+\/\{id\}/) ?? [];
  const rest = path.replace(/^\/\w+\/\{id\}/, '').match(/\{\w+\}/g) ?? [];
  return [
    ...heads,
    ...rest
      .filter((name) => !OWN_NAMES.includes(name))
      .map((name) => (mineHas(`${kind} ${name}`) ? `${kind} ${name}` : name)),
  ];
}

/** Known before the worlds are made: only keys of sites are named by their kind as well. */
const mineHas = (key: string): boolean => key === '/sites {key_id}';

const CASES = cabinetOperations.flatMap((operation) =>
  idsOf(operation).map((id) => [`${operation.method} ${operation.path}`, id, operation] as const),
);

describe.each(CASES)('%s with the %s of another owner', (_name, id, operation) => {
  it('is 404, and nothing of theirs changes', async () => {
    const before = await rowsOfTheirs();
    const world = { ...mine, paths: { ...mine.paths, [id]: theirs.paths[id] ?? '' } };
    const { status } = await send(owner, operation, pathIn(world, operation.path));
    expect(status).toBe(operation.access === 'admin' ? 403 : 404);
    expect(await rowsOfTheirs()).toBe(before);
  });
});

const BY_KEY = [
  ...contentOperations.map((operation) => ['content', operation.operationId, operation] as const),
  ...analyticsOperations.map((operation) => ['analytics', operation.operationId, operation] as const),
];

describe.each(BY_KEY)('%s %s, which takes its tenant from the key,', (name, _id, operation) => {
  it("changes nothing of another's, whose ids are the same", async () => {
    const before = await rowsOfTheirs();
    const { status } = await send(mine[name], operation, pathIn(mine, operation.path));
    expect(status).toBeLessThan(504);
    expect(await rowsOfTheirs()).toBe(before);
  });
});

it('sees a row that changes', async () => {
  const before = await rowsOfTheirs();
  await database.pool.query(`update projects set title = 'other' where id = $1`, [theirs.project.id]);
  expect(await rowsOfTheirs()).not.toBe(before);
});
