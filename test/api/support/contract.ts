/** Validates answers against the OpenAPI description: an undocumented status or field is a fault. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isDateTime } from '../../../domain/dateTime.ts';
import type { DescribedApi } from '../../../api/http/handling/mount.ts';

type Json = Record<string, unknown>;

interface Contract {
  document: Json;
  ajv: Ajv2020;
  /** By the schema's path: Ajv caches by object identity, and compiling costs more than the request. */
  validators: Map<string, ValidateFunction>;
}

const JSON_TYPE = 'application/json';
const NAME = 'api';

/** By document, which all servers of one API share, so that each is prepared once. */
const contracts = new WeakMap<object, Contract>();

/**
 * Returns a function that finds the fault of an answer; null when the answer conforms or its route is not
 * described.
 */
export function createContract(
  mounts: readonly DescribedApi[],
): (method: string, url: string, status: number, body: unknown, type?: string) => string | null {
  return (method, url, status, body, type = JSON_TYPE) => {
    const { pathname } = new URL(url);
    const mount = mounts.find(({ basePath }) => pathname.startsWith(`${basePath}/`));
    if (!mount) return null;
    const contract = contractOf(mount);
    const { document, ajv } = contract;
    const path = pathOf(document, pathname.slice(mount.basePath.length), method);
    if (path === undefined) return null;
    const pointer = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`;
    const response = valueAt(document, pointer);
    if (!response) return `${method} ${path} answers ${status}, which is not described`;
    const target = typeof response['$ref'] === 'string' ? response['$ref'] : pointer;
    const media = type.endsWith('ndjson') ? type : JSON_TYPE;
    const schema = `${NAME}${encodeURI(target)}/content/${media.replace('/', '~1')}/schema`;
    const validate = validatorOf(contract, schema);
    return validate(body) ? null : `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`;
  };
}

/** Created for the first answer: most files use only one of the three APIs. */
function contractOf(mount: DescribedApi): Contract {
  const described = mount.describe();
  const contract = contracts.get(described) ?? makeContract(described);
  contracts.set(described, contract);
  return contract;
}

function makeContract(described: object): Contract {
  const document = closeObjects(JSON.parse(JSON.stringify(described))) as Json;
  // test/api/schemas.test.ts validates the description against the meta-schema.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  ajv.addFormat('date-time', isDateTime);
  ajv.addFormat('uri', true);
  ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
  ajv.addSchema(document, NAME);
  return { document, ajv, validators: new Map() };
}

function validatorOf({ ajv, validators }: Contract, schema: string): ValidateFunction {
  const validate = validators.get(schema) ?? ajv.compile({ $ref: schema });
  validators.set(schema, validate);
  return validate;
}

function pathOf(document: Json, path: string, method: string): string | undefined {
  return Object.entries(document['paths'] as Record<string, Json>).find(
    ([template, methods]) =>
      method.toLowerCase() in methods && new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )?.[0];
}

function valueAt(document: Json, pointer: string): Json | undefined {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/'));
  return keys.reduce<Json | undefined>((node, key) => node?.[key] as Json | undefined, document);
}

/** Clients must tolerate new fields, but these tests must not: objects are closed for the comparison. */
function closeObjects(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closeObjects);
  if (typeof node !== 'object' || node === null) return node;
  const closed = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closeObjects(value)]));
  const isObjectSchema = 'properties' in closed && 'type' in closed && !('additionalProperties' in closed);
  return isObjectSchema ? { ...closed, additionalProperties: false } : closed;
}
