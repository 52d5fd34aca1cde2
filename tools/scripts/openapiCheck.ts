/**
 * Checks the OpenAPI descriptions: each is valid, each example matches its schema, the served routes equal the
 * described ones, and so do the tags. Prints every fault; the exit code is 1 when there is any.
 */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Registry } from 'prom-client';
import { createApi } from '../../api/server.ts';
import type { DescribedApi } from '../../api/http/handling/mount.ts';
import { createBlobStore } from '../../platform/blobs/createBlobStore.ts';
import { loadConfig } from '../../config.ts';
import { createPool } from '../../db/pool.ts';
import { CLOSED_RULES } from '../../platform/outgoing/forbiddenAddresses.ts';
import { createLogger } from '../../platform/process/logger.ts';

type Json = Record<string, unknown>;

/** Compiles the schema of OpenAPI at its first use. */
const openApi = new Validator();

/** Returns the faults of all APIs. Needs no database: nothing connects. */
export async function findDescriptionFaults(): Promise<string[]> {
  const config = loadConfig({
    DATABASE_URL: 'postgres://nobody@localhost/none',
    SECRET_KEY: 'only for the check of descriptions',
    REQUIRE_HTTPS: 'false',
  });
  const pool = createPool({ databaseUrl: config.databaseUrl, size: 1, applicationName: 'attune-check' });
  const { described } = createApi({
    config,
    pool,
    logger: createLogger('check', 'silent'),
    blobs: createBlobStore(config.blobs, config.workDir),
    registry: new Registry(),
    addressRules: CLOSED_RULES,
    resolve: () => Promise.resolve([]),
  });
  const faults = await Promise.all(described.map(faultsOf));
  await pool.end();
  return faults.flat();
}

async function faultsOf(mount: DescribedApi): Promise<string[]> {
  // In serialised form, so that properties that JSON drops are not checked.
  const document = JSON.parse(JSON.stringify(mount.describe())) as Json;
  const { valid, errors } = await openApi.validate(structuredClone(document));
  const faults = valid ? [] : [`is not valid OpenAPI: ${JSON.stringify(errors)}`];
  return [...faults, ...routeFaults(mount, document), ...tagFaults(document), ...exampleFaults(document)].map(
    (fault) => `${mount.basePath || 'root'}: ${fault}`,
  );
}

function operationsOf(document: Json): { route: string; operation: Json }[] {
  return Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method} ${path}`,
      operation: operation as Json,
    })),
  );
}

function routeFaults(mount: DescribedApi, document: Json): string[] {
  const served = mount.routes.map(({ method, path }) => `${method} ${path}`);
  const operations = operationsOf(document);
  const described = operations.map(({ route }) => route);
  const ids = operations.map(({ operation }) => operation['operationId']);
  return [
    ...served.filter((route) => !described.includes(route)).map((route) => `${route} is served and not described`),
    ...described.filter((route) => !served.includes(route)).map((route) => `${route} is described and not served`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `operationId ${String(id)} is used twice`),
  ];
}

/** Checks that each group of operations is described once, and that each described group has operations. */
export function tagFaults(document: Json): string[] {
  const described = ((document['tags'] ?? []) as { name: string }[]).map(({ name }) => name);
  const used = new Set(operationsOf(document).flatMap(({ operation }) => (operation['tags'] ?? []) as string[]));
  return [
    ...described
      .filter((name, index) => described.indexOf(name) !== index)
      .map((name) => `tag ${name} is described twice`),
    ...described.filter((name) => !used.has(name)).map((name) => `tag ${name} is described and not used`),
    ...[...used].filter((name) => !described.includes(name)).map((name) => `tag ${name} is used and not described`),
  ];
}

function exampleFaults(document: Json): string[] {
  // Each schema is used once, so making its code faster would cost more than it saves.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, code: { optimize: false } });
  ajv.addSchema(document, 'document');
  return mediaTypesIn(document, '#').flatMap(({ pointer, hasExample }) => {
    if (!hasExample) return pointer.includes('openapi.json') ? [] : [`${pointer} has no example`];
    const example = valueAt(document, pointer)['example'];
    const isValid = ajv.validate({ $ref: `document${pointer}/schema` }, example);
    return isValid ? [] : [`the example at ${pointer} does not fit: ${ajv.errorsText()}`];
  });
}

/** Returns every place in the document with a `schema` of a body, as a JSON pointer. */
function mediaTypesIn(node: unknown, pointer: string): { pointer: string; hasExample: boolean }[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const inner = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}`;
    if (pointer.endsWith('/content'))
      return [{ pointer: inner, hasExample: typeof value === 'object' && value !== null && 'example' in value }];
    return mediaTypesIn(value, inner);
  });
}

function valueAt(document: Json, pointer: string): Json {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<Json>((node, key) => node[key] as Json, document);
}

if (import.meta.main) {
  const faults = await findDescriptionFaults();
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
  else process.stdout.write('The descriptions are valid and complete.\n');
}
