/**
 * Sends every example of the descriptions to the running APIs; every answer is a documented success of the
 * described shape.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analyticsOperations, analyticsPublicOperations } from '../../api/analyticsApi.ts';
import { cabinetOperations, cabinetPublicOperations } from '../../api/cabinetApi.ts';
import { contentOperations, contentPublicOperations } from '../../api/contentApi.ts';
import type { AnyOperation } from '../../api/http/operations/operation.ts';
import type { ReportEngines } from '../../reports/engines/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openTestLake, type TestLake } from '../support/lake/lake.ts';
import { createWorld, pathIn, PREPARATIONS, QUERY_VALUES, queryValueIn, type World } from './support/examples.ts';
import { createTestEngines } from './support/reportEngines.ts';
import { startTestApi, type Answer, type TestApi } from './support/testApi.ts';

let database: TestDatabase;
let lake: TestLake;
let engines: ReportEngines;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  lake = await openTestLake(database.url);
  engines = createTestEngines(lake.settings);
  api = await startTestApi({ databaseUrl: database.url, reports: engines });
});

afterAll(async () => {
  await api?.close();
  await engines?.close();
  await lake?.close();
  await database?.drop();
});

type ApiName = 'content' | 'analytics' | 'cabinet';

const named = (name: ApiName, operations: readonly AnyOperation[]) =>
  operations.map((operation) => [operation.operationId, name, operation] as const);
const ALL = [
  ...named('content', contentOperations),
  ...named('content', contentPublicOperations),
  ...named('analytics', analyticsOperations),
  ...named('analytics', analyticsPublicOperations),
  ...named('cabinet', cabinetOperations),
  ...named('cabinet', cabinetPublicOperations),
];

/** Creating a world takes thirty requests, so most operations share one of two worlds. */
const shared = new Map<'kept' | 'spoiled', Promise<World>>();

/**
 * Operations that change the project, the site or the webhook. They share a world with the deletions, and leave in it
 * what the others need.
 */
const SPOILING: ReadonlySet<string> = new Set(['patchProject', 'patchSite', 'patchWebhook']);

/** Operations that change how the user logs in, or delete what another operation of the same kind needs. */
const ALONE: ReadonlySet<string> = new Set([
  'deleteUser',
  'deleteProjectItem',
  'deleteProjectUser',
  'patchUser',
  'changePassword',
  'confirmSecondFactor',
  'removeSecondFactor',
]);

function worldFor({ method, operationId }: AnyOperation): Promise<World> {
  const create = () => createWorld(api, database);
  if (ALONE.has(operationId)) return create();
  const which = method === 'delete' || SPOILING.has(operationId) ? 'spoiled' : 'kept';
  const world = shared.get(which) ?? create();
  shared.set(which, world);
  return world;
}

interface Sent {
  query?: Record<string, string>;
  /** For an upload: which of its content types is sent. */
  contentType?: string;
}

async function send(
  world: World,
  name: ApiName,
  operation: AnyOperation,
  { query = {}, contentType }: Sent = {},
): Promise<Answer> {
  const prepared = await PREPARATIONS[operation.operationId]?.(world);
  const { required = [] } = (operation.query ?? {}) as { required?: string[] };
  const needed = Object.fromEntries(required.map((parameter) => [parameter, QUERY_VALUES[parameter] ?? '']));
  const asked = Object.entries({ ...needed, ...prepared?.query, ...query });
  const search = new URLSearchParams(
    asked.map(([parameter, value]): [string, string] => [parameter, queryValueIn(world, value)]),
  ).toString();
  const client = prepared?.client ?? world[name];
  const path = pathIn(world, operation.path) + (search && `?${search}`);
  const example = contentType === undefined ? operation.body?.example : operation.upload?.contentTypes[contentType];
  const body = prepared?.body ?? example;
  // The client validates the answer against the description and fails the test when they differ.
  return client(
    operation.method.toUpperCase(),
    path,
    body,
    contentType === undefined ? {} : { headers: { 'content-type': contentType } },
  );
}

/** Returns the content types of an upload; anything else has only JSON. */
const contentTypesOf = ({ upload }: AnyOperation): (string | undefined)[] =>
  upload ? Object.keys(upload.contentTypes) : [undefined];

interface ParameterForm {
  type?: string;
  enum?: string[];
  items?: ParameterForm;
  format?: string;
  minimum?: number;
  examples?: unknown[];
}

/**
 * Returns values of a query parameter that the description allows; none for a cursor, which only an answer
 * provides.
 */
function valuesOf(name: string, form: ParameterForm): string[] {
  if (name === 'cursor') return [];
  const known = QUERY_VALUES[name];
  if (known !== undefined) return [known];
  if (form.examples) return form.examples.map(String);
  if (form.items?.enum) return [...form.items.enum, form.items.enum.join(',')];
  if (form.enum) return form.enum;
  if (form.type === 'boolean') return ['true', 'false'];
  if (form.type === 'integer') return [String(form.minimum ?? 1)];
  return [form.format === 'date-time' ? '2026-11-20T09:00:00+03:00' : 'a'];
}

const queryOf = (operation: AnyOperation): [string, string][] => {
  const { properties = {} } = (operation.query ?? {}) as { properties?: Record<string, ParameterForm> };
  return Object.entries(properties).flatMap(([name, form]) =>
    valuesOf(name, form).map((value): [string, string] => [name, value]),
  );
};

describe('the example of', () => {
  // proves: service/3, read/id, read/type, read/text-fields, read/properties, read/available, read/updated_at
  // proves: read/media, read/summary, read/ItemWriteResponse, read/ItemDeleteResponse, orders/OrderResponse
  // proves: profile/StoredProfile, profile/UserDeleteResponse, profile/HealthResponse, versions/2, output-paths/all
  // proves: output-answer/form, analytics/1, analytics/2-reports, analytics/2-visitors, analytics-versions/2
  // proves: analytics-endpoints/conversions, analytics-endpoints/orders, analytics-endpoints/reports
  // proves: analytics-endpoints/users, analytics-endpoints/openapi
  it.each(ALL)('%s is answered as described', async (_id, name, operation) => {
    for (const contentType of contentTypesOf(operation)) {
      const { status } = await send(
        await worldFor(operation),
        name,
        operation,
        contentType === undefined ? {} : { contentType },
      );
      expect(Object.keys(operation.replies).map(Number)).toContain(status);
    }
  });
});

describe('each query parameter of', () => {
  it.each(ALL.filter(([, , operation]) => queryOf(operation).length > 0))(
    '%s is accepted',
    async (_id, name, operation) => {
      const world = await worldFor(operation);
      for (const [parameter, value] of queryOf(operation)) {
        const { status } = await send(world, name, operation, { query: { [parameter]: value } });
        expect([parameter, value, status]).toEqual([parameter, value, 200]);
      }
    },
  );
});

describe('the examples', () => {
  it('exist for every described operation', () => {
    const described = api.server.mounts.flatMap((mount) =>
      mount.routes.map(({ method, path }) => `${mount.basePath} ${method} ${path}`),
    );
    const base = { content: '/content/api/v1', analytics: '/analytics/api/v1', cabinet: '/cabinet/api' };
    expect(ALL.map(([, name, { method, path }]) => `${base[name]} ${method} ${path}`).toSorted()).toEqual(
      described.toSorted(),
    );
  });

  it('have a body wherever a body is allowed', () => {
    const lacks = ({ body, upload }: AnyOperation): boolean =>
      (body && body.example === undefined) || Object.values(upload?.contentTypes ?? {}).includes('');
    expect(ALL.filter(([, , operation]) => lacks(operation)).map(([id]) => id)).toEqual([]);
  });
});
