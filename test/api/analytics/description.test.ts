/** GET /openapi.json of the analytics API, as the running server returns it. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { stageApi } from '../support/stageApi.ts';
import { clientOf } from '../support/testApi.ts';

interface Operation {
  security: unknown[];
  responses: object;
}

interface Schema {
  required?: string[];
  additionalProperties?: boolean;
  maxItems?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
}

const stage = stageApi();
let description: {
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

beforeAll(async () => {
  description = (await clientOf(stage.api.analytics, null)('GET', '/openapi.json')).body;
});

const operations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );
const schema = (name: string): Schema => description.components.schemas[name] ?? {};

describe('the description of the analytics API', () => {
  // proves: analytics/base-address, analytics/5, analytics-versions/1
  it('needs no key, and names version 1, as the address of the API does', () => {
    expect(description.info.version).toBe('1');
    expect(description.servers.map(({ url }) => url)).toEqual([expect.stringMatching(/\/api\/v1$/)]);
  });

  // proves: analytics/5, analytics-auth/9, analytics-endpoints/openapi
  it('requires a key everywhere except for the health check and itself', () => {
    const open = operations()
      .filter(({ operation }) => operation.security.length === 0)
      .map(({ name }) => name);
    expect(open).toEqual(['get /health', 'get /openapi.json']);
  });

  // proves: analytics-versions/2, analytics-endpoints/conversions
  it('names the documented statuses of each operation', () => {
    const statuses = Object.fromEntries(
      operations().map(({ name, operation }) => [
        name,
        Object.keys(operation.responses)
          .map(Number)
          .toSorted((a, b) => a - b),
      ]),
    );
    const [batch, read] = [
      [400, 401, 403, 408, 413, 422, 429, 500, 503],
      [400, 401, 403, 429, 500, 503],
    ];
    expect(statuses).toMatchObject({
      'post /conversions': [202, ...batch],
      'post /orders': [202, ...batch],
      'post /users': [202, ...batch],
      'post /reports': [200, ...batch],
      'post /visitors/attributes': [200, ...batch],
      'get /visitors/{visitor_id}': [200, 400, 401, 403, 404, 429, 500, 503],
      'get /network': [200, ...read],
    });
  });

  // proves: analytics-versions/2
  it('has the limits that are validated, and no field that is not validated', () => {
    expect(schema('ConversionsRequest').properties?.['conversions']?.maxItems).toBe(1000);
    expect(schema('OrdersRequest').properties?.['orders']?.maxItems).toBe(500);
    expect(schema('UsersRequest').properties?.['users']?.maxItems).toBe(500);
    expect(schema('VisitorAttributesRequest').properties?.['visitors']?.maxItems).toBe(100);
    expect(schema('ConversionIn')).toMatchObject({
      required: ['id', 'goal'],
      additionalProperties: false,
      properties: { id: { maxLength: 64 }, user_id: { maxLength: 191 } },
    });
    expect(Object.keys(schema('ConversionIn').properties ?? {})).toEqual([
      'id',
      'goal',
      'visitor_id',
      'user_id',
      'occurred_at',
      'value',
    ]);
    expect(Object.keys(schema('OrderIn').properties ?? {})).toEqual([
      'transaction_id',
      'visitor_id',
      'user_id',
      'occurred_at',
      'status',
      'currency',
      'revenue',
      'products',
    ]);
    expect(schema('UserIn')).toMatchObject({
      properties: { phone: { maxLength: 64 }, city: { maxLength: 200 }, email: { maxLength: 254 } },
    });
  });
});
