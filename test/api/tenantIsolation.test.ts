/**
 * Sends another owner's ids, one at a time, to every operation of the three descriptions: the answer is 404 or an
 * error for the element and contains nothing of the other owner, whose rows stay unchanged. Paths are read from the
 * descriptions, so a new operation is tested automatically; one that takes ids in its query or body must be added
 * to support/otherNames.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analyticsOperations } from '../../api/analyticsApi.ts';
import { cabinetOperations } from '../../api/cabinetApi.ts';
import { contentOperations } from '../../api/contentApi.ts';
import type { AnyOperation } from '../../api/http/operations/operation.ts';
import type { ReportEngines } from '../../reports/engines/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openTestLake, type TestLake } from '../support/lake/lake.ts';
import { createWorld, pathIn, QUERY_VALUES, queryValueIn, storeRecording, type World } from './support/examples.ts';
import { ASKED, type Asked } from './support/otherNames.ts';
import { createOtherWorld, MARK, REPORT, THEIRS } from './support/otherWorld.ts';
import { createTestUser, tokenOf } from './support/people.ts';
import { createTestEngines } from './support/reportEngines.ts';
import { clientOf, startTestApi, type Answer, type Client, type TestApi } from './support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let mine: World;
let theirs: World;
/** The owner of everything in `mine`. */
let owner: Client;
let lake: TestLake;
let engines: ReportEngines;
/** The other owner's rows at the start. */
let rowsAtFirst: string;
/** Generated ids of the other owner, and the mark in the other owner's texts. */
let secrets: string[];
/** Another owner's visitor with a recording, and a visit of a second visitor of the same owner. */
let recorded: string;
let visit: string;

beforeAll(async () => {
  database = await createTestDatabase();
  lake = await openTestLake(database.url);
  engines = createTestEngines(lake.settings);
  const env = { IP_REQUESTS_PER_MINUTE: '100000' };
  api = await startTestApi({ databaseUrl: database.url, env, reports: engines });
  [mine, theirs] = [await createWorld(api, database), await createOtherWorld(api, database, lake)];
  await storeRecording(mine);
  const user = await createTestUser(database.pool, 'owner', {
    projects: [mine.project.id],
    sites: [siteOf(mine)],
  });
  owner = clientOf(api.cabinet, await tokenOf(database.pool, user));
  recorded = await oneOfTheirs('visitor_id', 'site_recordings');
  visit = await oneOfTheirs('visit_id', 'site_visits');
  secrets = [MARK, recorded, visit, ...madeIds(theirs), theirs.project.clientId, theirs.user.email];
  rowsAtFirst = await rowsOfTheirs();
});

afterAll(async () => {
  await api?.close();
  await engines?.close();
  await lake?.close();
  await database?.drop();
});

const siteOf = ({ paths }: World): string => paths['/sites/{id}'] ?? '';

/** Returns a text that changes when any row of the other owner's project, site or account does. */
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

async function oneOfTheirs(column: string, table: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select ${column}::text as id from ${table} where site_id = $1`,
    [siteOf(theirs)],
  );
  return rows[0]?.id ?? '';
}

/** Returns the ids that the integrator did not choose and that are long enough to be unique. */
const madeIds = ({ paths }: World): string[] => Object.values(paths).filter((id) => id.length >= 12);

/**
 * Checks that the answer, apart from the sent text, contains nothing of the other owner, and that none of the other
 * owner's rows has changed.
 */
async function expectNothingOfTheirs({ body }: Answer, sent = ''): Promise<void> {
  const text = JSON.stringify(body);
  expect(secrets.filter((secret) => !sent.includes(secret) && text.includes(secret))).toEqual([]);
  expect(await rowsOfTheirs()).toBe(rowsAtFirst);
}

async function send(client: Client, operation: AnyOperation, path: string): Promise<Answer> {
  const example = operation.body?.example;
  const [type, content] = Object.entries(operation.upload?.contentTypes ?? {})[0] ?? [];
  const properties = (operation.query as { properties?: object } | undefined)?.properties ?? {};
  const query = Object.entries(QUERY_VALUES)
    .filter(([name]) => name in properties)
    .map(([name, value]): [string, string] => [name, queryValueIn(mine, value)]);
  const address = query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`;
  const method = operation.method.toUpperCase();
  return type === undefined
    ? client(method, address, example)
    : client(method, address, content, { headers: { 'content-type': type } });
}

/** A sequence number is not an id. */
const isId = (name: string): boolean => name !== '{seq}';

/** Returns the keys of a path's ids in the world. */
function idsOf({ path }: AnyOperation): string[] {
  const [kind] = path.match(/^\/\w+/) ?? [];
  const heads = path.match(/^\/(items|projects|sessions|tokens|users|sites)\/\{id\}/) ?? [];
  const rest = path.replace(/^\/\w+\/\{id\}/, '').match(/\{\w+\}/g) ?? [];
  return [
    ...heads.slice(0, 1),
    ...rest.filter(isId).map((name) => (OF_SITES.has(`${kind} ${name}`) ? `${kind} ${name}` : name)),
  ];
}

/** Where a site and a project use the same parameter name, the world's key includes the kind. */
const OF_SITES = new Set(['/sites {key_id}', '/sites {visitor_id}', '/sites {user_id}']);

type ApiName = Asked['api'];
const OPERATIONS: Record<ApiName, readonly AnyOperation[]> = {
  content: contentOperations,
  analytics: analyticsOperations,
  cabinet: cabinetOperations,
};
const ALL = Object.entries(OPERATIONS).flatMap(([api, operations]) =>
  operations.map((operation) => ({ api: api as ApiName, operation })),
);
const clientFor = (name: ApiName): Client => (name === 'cabinet' ? owner : mine[name]);

/**
 * Names within a site or a project: another owner's name refers to a thing of the caller's own, which the request
 * may create.
 */
const OWN_THINGS: Record<string, number> = {
  'putItem /items/{id}': 201,
  // The content API has created it before.
  'putProjectItem {item}': 200,
  'putEventType {code}': 201,
  'putProperty {name}': 201,
  'putSurface {surface}': 201,
  'putGoal {code}': 201,
  'deleteVisitor /sites {visitor_id}': 202,
  'deleteSiteUser /sites {user_id}': 202,
};

const IN_PATHS = ALL.flatMap(({ api, operation }) =>
  idsOf(operation).map((id) => ({ name: `${api} ${operation.operationId}`, api, operation, id })),
);
const makes = ({ operation, id }: (typeof IN_PATHS)[number]): boolean => `${operation.operationId} ${id}` in OWN_THINGS;

async function expectOfPath({ api, operation, id }: (typeof IN_PATHS)[number]): Promise<void> {
  const their = theirs.paths[id];
  if (their === undefined) throw new Error(`the other world has no ${id}`);
  const path = pathIn({ ...mine, paths: { ...mine.paths, [id]: their } }, operation.path);
  const answer = await send(clientFor(api), operation, path);
  const refused = operation.access === 'admin' ? 403 : 404;
  expect(answer.status).toBe(OWN_THINGS[`${operation.operationId} ${id}`] ?? refused);
  await expectNothingOfTheirs(answer, path);
}

async function expectOfAsked({ api, operationId, query, body, status, answer }: Asked): Promise<void> {
  const operation = OPERATIONS[api].find((one) => one.operationId === operationId);
  if (!operation) throw new Error(`there is no ${operationId}`);
  const search = query ? `?${new URLSearchParams(JSON.parse(withIds(query)) as Record<string, string>)}` : '';
  const sent = body === undefined ? undefined : withIds(body);
  const method = operation.method.toUpperCase();
  const got = await clientFor(api)(method, pathIn(mine, operation.path) + search, sent);
  expect(got).toMatchObject({ status, body: answer });
  await expectNothingOfTheirs(got, `${search} ${sent}`);
}

/** Returns JSON with the ids of the running world in place of `{project}` and so on. */
function withIds(value: unknown): string {
  const ids: Record<string, string> = {
    project: theirs.project.id,
    site: siteOf(theirs),
    user: theirs.user.id,
    recorded,
    visit,
    segment: theirs.paths['{sid}'] ?? '',
  };
  return JSON.stringify(value).replaceAll(/"\{(\w+)\}"/g, (_all, name: string) => JSON.stringify(ids[name]));
}

// The caller's own reads run first, because the audit trail contains everything that is requested later.
describe("a request that reads the caller's own ids", () => {
  it.each(
    ALL.filter(({ operation }) => operation.method === 'get').map((one) => ({
      ...one,
      name: one.operation.operationId,
    })),
  )('returns nothing of anybody else: $api $name', async ({ api, operation }) => {
    const answer = await send(clientFor(api), operation, pathIn(mine, operation.path));
    expect(answer.status).toBeLessThan(500);
    await expectNothingOfTheirs(answer);
  });
});

describe('a request with an id of another owner', () => {
  it.each(ASKED.filter((one) => !one.makes))('returns nothing: $api $operationId of $what', expectOfAsked);
  it.each(IN_PATHS.filter((one) => !makes(one)))('is refused: $name, $id', expectOfPath);
});

describe('a write with a name that another owner uses', () => {
  it.each(IN_PATHS.filter(makes))("affects only the caller's own: $name, $id", expectOfPath);
  it.each(ASKED.filter((one) => one.makes))("affects only the caller's own: $api $operationId of $what", expectOfAsked);
});

describe('a name that two owners use', () => {
  const events = `/projects/{id}/events`;
  it.each([
    ['content', 'the item', `/items/${THEIRS.item}`],
    ['content', 'the item in a list', `/items?ids=${THEIRS.item}`],
    ['content', 'the profile', `/users/profile?user_id=${THEIRS.user}`],
    ['cabinet', 'the events of the item', `${events}?item=${THEIRS.item}`],
    ['cabinet', 'the events of the user', `${events}?user_id=${THEIRS.user}`],
  ] as const)('leads the caller to nothing of the other owner: %s, %s', async (api, _what, path) => {
    const answer = await clientFor(api)('GET', path.replace('{id}', mine.project.id));
    expect(answer.status).toBe(200);
    await expectNothingOfTheirs(answer, Object.values(THEIRS).join());
  });
});

describe('the list of requests', () => {
  // proves: output-paths/all
  it('has every operation of the content and analytics APIs', () => {
    const asked = new Set([
      ...IN_PATHS.map(({ name }) => name),
      ...ASKED.map((one) => `${one.api} ${one.operationId}`),
    ]);
    const unasked = ALL.map(({ api, operation }) => `${api} ${operation.operationId}`).filter(
      (name) => !name.startsWith('cabinet ') && !asked.has(name),
    );
    expect(unasked).toEqual(NAMING_NOTHING);
  });

  it('has every query parameter that names an object', () => {
    const asked = new Set(ASKED.flatMap(({ query = {} }) => Object.keys(query)));
    const parameters = ALL.flatMap(({ operation }) =>
      Object.keys((operation.query as { properties?: object } | undefined)?.properties ?? {}),
    );
    expect([...new Set(parameters)].filter((name) => !asked.has(name) && !NO_IDS.has(name))).toEqual([]);
  });
});

/** Operations without a path parameter, a query or a body. */
const NAMING_NOTHING = ['content listEventTypes', 'analytics getNetwork'];
/** Query parameters that name nothing that an owner has; fingerprints are disabled. */
const NO_IDS = new Set(
  'cursor device limit status step available updated_since since until month include fingerprint_uuid operation event error_code favourite page source_type source from to group min_duration max_duration errors kind type origin deleted moderation hours q'.split(
    ' ',
  ),
);

describe('the search for leaks itself', () => {
  it('finds the mark in the answer for the other owner', async () => {
    const answers = await Promise.all([
      theirs.content('GET', `/items/${theirs.paths['/items/{id}']}`),
      theirs.analytics('POST', '/reports', REPORT),
      theirs.cabinet('GET', `/sites/${siteOf(theirs)}/goals`),
    ]);
    for (const { body } of answers) expect(JSON.stringify(body)).toContain(MARK);
  });

  it('notices a row that changes', async () => {
    const before = await rowsOfTheirs();
    await database.pool.query(`update projects set title = 'other' where id = $1`, [theirs.project.id]);
    expect(await rowsOfTheirs()).not.toBe(before);
  });
});
