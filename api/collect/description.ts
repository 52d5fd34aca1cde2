/**
 * The OpenAPI document of /collect at /collect/openapi.json: it is separate because /collect is at the root and has its
 * own errors.
 */
import type { Middleware } from 'koa';
import { CollectRequest, CollectResponse } from '../../domain/schemas/collectRequest.ts';
import { descriptionOperation } from '../http/operations/describeOperation.ts';
import type { ApiDescription } from '../http/operations/apiDefinition.ts';
import { forbidden } from '../http/errors.ts';
import { describeApi } from '../http/operations/openapi.ts';
import type { AnyOperation } from '../http/operations/operation.ts';
import { stateOf } from '../http/handling/requestState.ts';
import { ENGLISH, type ErrorTexts } from '../http/errorMessages.ts';

const DESCRIPTION_PATH = '/collect/openapi.json';

const description: ApiDescription = {
  title: 'Attune: intake of the tag',
  version: '1',
  description:
    'Takes the hits of a site, from its pages or from a tracker of your own. JSON in UTF-8, at most 64 KB and 50 events; the public key of the site is in the body. Any page may read the answers (CORS); only pages on hosts that the site lists may send.',
  basePath: '',
  // Unused, since the key is in the body.
  security: { name: 'none', description: '' },
  tags: [
    { name: 'collect', description: 'Hits' },
    { name: 'service', description: 'State of the service' },
  ],
};

const texts: ErrorTexts = {
  ...ENGLISH,
  described: {
    ...ENGLISH.described,
    errors: {
      ...ENGLISH.described.errors,
      400: 'The body is not JSON in UTF-8, or its type is neither application/json nor text/plain',
      401: 'No key, an unknown or revoked key, or a key in the address',
      403: 'The site or its owner is blocked, the page or the sender is on a host that the site does not list, or the request came without https',
      413: 'The body is larger than 64 KB',
      422: 'The batch is malformed, and none of it is taken. More than 50 events: too_many in the field events',
      429: 'The address sends too many requests, or too many unknown keys',
      503: 'Nothing is stored, or it is not known whether it is: send the same batch again',
    },
    faults: { ...ENGLISH.described.faults, field: { field: 'events', code: 'too_many' } },
  },
};

const collectOperation: AnyOperation = {
  method: 'post',
  path: '/collect',
  operationId: 'collect',
  tag: 'collect',
  summary: 'Take a batch of events from one visitor',
  description:
    'Answers when the events are stored durably. A single bad event is dropped and named in `dropped`; the others count. A batch may be sent again as a whole: events whose id is known are dropped as duplicates.',
  body: {
    schema: CollectRequest,
    example: {
      key: 'as_0123456789abcdefghijABCD',
      visitor_id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
      sent_at: '2026-11-20T10:15:30.250Z',
      device: { screen: '1920x1080', window: '1200x800', language: 'ru-RU', timezone: 'Europe/Moscow' },
      events: [
        {
          id: '1',
          at: '2026-11-20T10:15:28.100Z',
          type: 'pageview',
          url: 'https://shop.example.com/catalogue?utm_source=letter',
          referrer: 'https://mail.example.net/',
          title: 'Catalogue',
        },
        {
          id: '2',
          at: '2026-11-20T10:15:29.900Z',
          type: 'goal',
          url: 'https://shop.example.com/catalogue',
          name: 'callback',
          params: { value: 500 },
        },
      ],
    },
  },
  replies: {
    202: {
      description: 'What was taken, and what was dropped and why',
      schema: CollectResponse,
      example: { accepted: 1, dropped: [{ index: 1, code: 'too_old' }] },
    },
  },
  errors: [400, 401, 413, 422, 503],
};

interface Document {
  servers: { url: string }[];
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, object> }; responses: Record<string, object> }>
  >;
  components: { securitySchemes?: object; responses: Record<string, object> };
}

export const collectRoutes = [
  { method: 'post', path: '/collect' },
  { method: 'get', path: DESCRIPTION_PATH },
] as const;

export function describeCollect(): object {
  const getDescription = {
    ...descriptionOperation({ summary: 'This description, OpenAPI 3.1', reply: 'OpenAPI document' }),
    path: DESCRIPTION_PATH,
  };
  const document = describeApi({
    description,
    texts,
    operations: [],
    publicOperations: [collectOperation, getDescription],
  }) as Document;
  // The document itself has no rate limit.
  delete document.paths[DESCRIPTION_PATH]?.['get']?.responses['429'];
  delete document.components.securitySchemes;
  const content = document.paths['/collect']?.['post']?.requestBody?.content;
  if (content?.['application/json']) content['text/plain'] = content['application/json'];
  return { ...document, servers: [{ url: '/' }] };
}

export function serveDescription(describe: () => object, requireHttps: boolean): Middleware {
  return (ctx, next) => {
    if (ctx.path !== DESCRIPTION_PATH || ctx.method !== 'GET') return next();
    const state = stateOf(ctx);
    state.route = DESCRIPTION_PATH;
    state.texts = ENGLISH;
    if (requireHttps && !state.peer.isHttps) throw forbidden();
    ctx.body = describe();
    return undefined;
  };
}
