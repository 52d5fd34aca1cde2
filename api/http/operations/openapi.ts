/** The OpenAPI 3.1 description of an API, from the same schemas that validate its requests. */
import type { ApiDefinition } from './apiDefinition.ts';
import {
  internal,
  invalidRequest,
  forbidden,
  notFound,
  payloadTooLarge,
  rateLimited,
  requestTimeout,
  unauthorized,
  unavailable,
  validationFailed,
  type HttpError,
} from '../errors.ts';
import type { AnyOperation, ReplySpec } from './operation.ts';
import {
  DESCRIBED,
  ELEMENT,
  ENCODED_ELEMENTS,
  FAULT_CODES,
  MEDIA_URL,
  OWN_VALUES,
  type TSchema,
} from '../../../domain/schemas/schema.ts';
import { errorBody, type ErrorTexts } from '../errorMessages.ts';

type Described = Pick<ApiDefinition<never, never>, 'description' | 'texts'> & {
  operations: readonly AnyOperation[];
  publicOperations: readonly AnyOperation[];
};
type Json = Record<string, unknown>;

/** Errors that any operation with a key may return. */
const COMMON_ERRORS = [400, 401, 403, 429, 500, 503];
const PUBLIC_ERRORS = [403, 429, 500];

const sampleErrors = ({ described: { faults } }: ErrorTexts): HttpError[] => [
  invalidRequest([faults.parameter]),
  unauthorized(),
  forbidden(),
  notFound(),
  requestTimeout(),
  payloadTooLarge(),
  validationFailed([faults.field]),
  rateLimited(1),
  internal(),
  unavailable(),
];

/** Builds the document. @throws {Error} when two different schemas have the same title */
export function describeApi({ description, texts, operations, publicOperations }: Described): object {
  const components = new Components();
  const paths: Record<string, Json> = {};
  const add = (operation: AnyOperation, isPublic: boolean): void => {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describeOperation(operation, isPublic ? [] : securityNames(description), components),
    };
  };
  for (const operation of operations) add(operation, false);
  for (const operation of publicOperations) add(operation, true);
  return {
    openapi: '3.1.0',
    info: { title: description.title, version: description.version, description: description.description },
    servers: [{ url: description.basePath }],
    tags: description.tags,
    paths,
    components: {
      schemas: { ...components.schemas, ErrorBody: errorSchema(texts) },
      responses: Object.fromEntries(
        sampleErrors(texts).map((error) => [`Error${error.status}`, describeError(error, texts)]),
      ),
      headers: {
        'X-Request-ID': { description: texts.described.headers.requestId, schema: { type: 'string' } },
        'Retry-After': { description: texts.described.headers.retryAfter, schema: { type: 'integer', minimum: 1 } },
      },
      securitySchemes: securitySchemes(description),
    },
  };
}

type Security = Pick<Described['description'], 'security' | 'cookie'>;

/** Returns the alternatives of authentication; an empty list means that none is needed. */
function securityNames({ security, cookie }: Security): string[] {
  return [security.name, ...(cookie ? [cookie.name] : [])];
}

function securitySchemes({ security, cookie }: Security): Json {
  return {
    [security.name]: { type: 'http', scheme: 'bearer', description: security.description },
    ...(cookie && {
      [cookie.name]: { type: 'apiKey', in: 'cookie', name: cookie.cookie, description: cookie.description },
    }),
  };
}

function describeOperation(operation: AnyOperation, security: readonly string[], components: Components): Json {
  const isPublic = security.length === 0;
  const ofBody = operation.body || operation.upload ? [408] : [];
  const errors = [...(isPublic ? PUBLIC_ERRORS : COMMON_ERRORS), ...ofBody, ...operation.errors].sort((a, b) => a - b);
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    security: security.map((name) => ({ [name]: [] })),
    ...describeParameters(operation),
    ...(operation.body && {
      requestBody: {
        required: !operation.body.isOptional,
        content: {
          'application/json': { schema: components.refer(operation.body.schema), example: operation.body.example },
        },
      },
    }),
    ...(operation.upload && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          Object.entries(operation.upload.contentTypes).map(([type, example]) => [
            type,
            { schema: { type: 'string' }, example },
          ]),
        ),
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.replies).map(([status, reply]) => [status, describeReply(reply, components)]),
      ),
      ...Object.fromEntries(errors.map((status) => [status, { $ref: `#/components/responses/Error${status}` }])),
    },
  };
}

const REQUEST_ID_HEADER = { 'X-Request-ID': { $ref: '#/components/headers/X-Request-ID' } };

function describeReply(reply: ReplySpec, components: Components): Json {
  const content = reply.schema && {
    [reply.contentType ?? 'application/json']: {
      schema: components.refer(reply.schema),
      ...(reply.example !== undefined && { example: reply.example }),
    },
  };
  return { description: reply.description, headers: REQUEST_ID_HEADER, ...(content && { content }) };
}

function describeParameters({ params, query }: AnyOperation): { parameters?: Json[] } {
  const parameters = [...parametersIn('path', params), ...parametersIn('query', query)];
  return parameters.length > 0 ? { parameters } : {};
}

function parametersIn(location: 'path' | 'query', schema: TSchema | undefined): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, form]) => {
    const { description, ...rest } = form;
    const isList = form['type'] === 'array';
    return {
      name,
      in: location,
      required: required.includes(name),
      schema: rest,
      ...(description !== undefined && { description }),
      ...(isList && { style: 'form', explode: false }),
    };
  });
}

function describeError(error: HttpError, texts: ErrorTexts): Json {
  const headers =
    error.retryAfter === null
      ? REQUEST_ID_HEADER
      : { ...REQUEST_ID_HEADER, 'Retry-After': { $ref: '#/components/headers/Retry-After' } };
  return {
    description: texts.described.errors[error.status] ?? texts.errors[error.code],
    headers,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' }, example: errorBody(error, texts) },
    },
  };
}

function errorSchema(texts: ErrorTexts): Json {
  const text = { type: 'string' };
  const detail = {
    type: 'object',
    required: ['field', 'code', ...(texts.details ? ['message'] : [])],
    properties: { field: text, code: text, ...(texts.details && { message: text }) },
  };
  const error = {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', enum: Object.keys(texts.errors) },
      message: text,
      details: { type: 'array', items: detail },
    },
  };
  return { type: 'object', required: ['error'], properties: { error } };
}

/** Keywords of schemas that the description omits. */
const VALIDATION_ONLY = new Set([MEDIA_URL, FAULT_CODES, OWN_VALUES, ENCODED_ELEMENTS]);

/** Collects titled schemas as named components and replaces them by references. */
class Components {
  readonly schemas: Record<string, unknown> = {};

  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((part) => this.refer(part));
    if (typeof schema !== 'object' || schema === null) return schema;
    if (ELEMENT in schema) return this.refer(schema[ELEMENT]);
    if (DESCRIBED in schema) {
      const { [DESCRIBED]: described, ...rest } = schema;
      return this.refer({ ...rest, ...(described as object) });
    }
    const { title } = schema as { title?: unknown };
    const isShown = (key: string): boolean =>
      !VALIDATION_ONLY.has(key) && (key !== 'title' || typeof title !== 'string');
    const form = Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => isShown(key))
        .map(([key, part]) => [key, this.refer(part)]),
    );
    // In a map of properties `title` is a schema, not a name.
    if (typeof title !== 'string') return form;
    const known = this.schemas[title];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(form))
      throw new Error(`two different schemas are titled ${title}`);
    this.schemas[title] = form;
    return { $ref: `#/components/schemas/${title}` };
  }
}
