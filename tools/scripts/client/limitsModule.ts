/**
 * Generates the limits of an API's request fields, so that forms can apply them: types cannot express how long a text
 * may be.
 */
type Schema = Record<string, unknown>;

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  operationId?: string;
  parameters?: { name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

/** The path to a value, and its longest text, largest number or greatest number of elements. */
type Limit = [path: string, limit: number];

/** The schema of conditions is recursive. */
const MAX_DEPTH = 6;

/**
 * Returns the text of a module with a constant for each limit, such as `putGoal_match_value`; `each` stands for the
 * elements of a list. They cost a browser nothing, because bundlers replace each use of a constant by its number.
 */
export function limitsModule(text: string, header: string): string {
  const { paths, components } = JSON.parse(text) as Document;

  const lines = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId = '', parameters = [], requestBody }) => {
      const sent = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
      const body = fieldsOf(requestBody?.content['application/json']?.schema ?? {});
      return ofFields(operationId, { ...sent, ...body }, 0);
    })
    .map(([path, limit]) => `export const ${path} = ${limit};`);
  return `${[header, ...lines].join('\n')}\n`;

  /** Returns nothing for a value with several forms, if more than one of them has limits. */
  function limitsOf(path: string, schema: Schema, depth: number): Limit[] {
    if (depth > MAX_DEPTH) return [];
    const { type, maxLength, maximum, maxItems, items = {}, anyOf } = resolved(schema);
    if (Array.isArray(anyOf)) {
      const found = anyOf.map((one: Schema) => limitsOf(path, one, depth + 1)).filter(({ length }) => length > 0);
      return found.length === 1 ? (found[0] ?? []) : [];
    }
    const own = [maxLength, maximum, maxItems].filter((limit) => typeof limit === 'number');
    const inner =
      type === 'array' || (Array.isArray(type) && type.includes('array'))
        ? limitsOf(`${path}_each`, items as Schema, depth + 1)
        : ofFields(path, fieldsOf(schema), depth + 1);
    return [...own.map((limit): Limit => [path, limit]), ...inner];
  }

  function ofFields(path: string, fields: Record<string, Schema>, depth: number): Limit[] {
    return Object.entries(fields).flatMap(([name, schema]) => limitsOf(`${path}_${name}`, schema, depth));
  }

  function fieldsOf(schema: Schema): Record<string, Schema> {
    return (resolved(schema)['properties'] ?? {}) as Record<string, Schema>;
  }

  function resolved(schema: Schema): Schema {
    const { $ref } = schema;
    return typeof $ref === 'string' ? (components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
  }
}
