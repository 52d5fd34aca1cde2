/** Validation trusts schemas and compiles them at their first use; this test shows that each of them is valid. */
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { analyticsDescription, analyticsOperations, analyticsPublicOperations } from '../../api/analyticsApi.ts';
import { cabinetDescription, cabinetOperations, cabinetPublicOperations } from '../../api/cabinetApi.ts';
import { contentDescription, contentOperations, contentPublicOperations } from '../../api/contentApi.ts';
import { describeApi } from '../../api/http/operations/openapi.ts';
import type { AnyOperation } from '../../api/http/operations/operation.ts';
import { RUSSIAN } from '../../api/http/errorMessages.ts';
import { ELEMENT, type TSchema } from '../../domain/schemas/schema.ts';
import { createValidators } from '../../domain/schemas/validation.ts';

const ALL: readonly AnyOperation[] = [
  ...contentOperations,
  ...contentPublicOperations,
  ...analyticsOperations,
  ...analyticsPublicOperations,
  ...cabinetOperations,
  ...cabinetPublicOperations,
];
const meta = new Ajv2020({ strict: false });

/** Includes the schemas of batch elements, which are validated separately. */
function schemasOf({ operationId, params, query, body }: AnyOperation): [string, TSchema][] {
  return [params, query, body?.schema]
    .flatMap((schema) => (schema ? [schema, ...elementsOf(schema)] : []))
    .map((schema): [string, TSchema] => [operationId, schema]);
}

function elementsOf(node: unknown): TSchema[] {
  if (typeof node !== 'object' || node === null) return [];
  const found = Object.values(node).flatMap(elementsOf);
  return ELEMENT in node ? [node[ELEMENT] as TSchema, ...found] : found;
}

const faultsOf = (schema: unknown): string | null =>
  meta.validateSchema(schema as object) ? null : meta.errorsText(meta.errors);

describe('the schemas', () => {
  it('of parameters, bodies and elements are valid and can be compiled', () => {
    const validators = createValidators({ isMediaUrl: () => true });
    const schemas = ALL.flatMap(schemasOf);
    expect(schemas.length).toBeGreaterThan(ALL.length);
    for (const [operationId, schema] of schemas) {
      expect([operationId, faultsOf(schema)]).toEqual([operationId, null]);
      expect(() => validators(schema)({})).not.toThrow();
    }
  });

  it('of the descriptions are valid', () => {
    const documents = [
      describeApi({
        description: contentDescription,
        texts: RUSSIAN,
        operations: contentOperations,
        publicOperations: contentPublicOperations,
      }),
      describeApi({
        description: analyticsDescription,
        texts: RUSSIAN,
        operations: analyticsOperations,
        publicOperations: analyticsPublicOperations,
      }),
      describeApi({
        description: cabinetDescription,
        texts: RUSSIAN,
        operations: cabinetOperations,
        publicOperations: cabinetPublicOperations,
      }),
    ] as { components: { schemas: Record<string, unknown> } }[];
    for (const [name, schema] of documents.flatMap(({ components }) => Object.entries(components.schemas)))
      expect([name, faultsOf(schema)]).toEqual([name, null]);
  });

  it('are reported if they are invalid', () => {
    expect(faultsOf({ type: 'object', properties: { a: { type: 'string', maxLength: '5' } } })).toMatch(/maxLength/);
  });
});
