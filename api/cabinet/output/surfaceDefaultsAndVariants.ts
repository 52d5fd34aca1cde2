/**
 * Settings of a surface or a variant for requests: the request's own fields, validated by the request's own schemas.
 */
import Type from 'typebox';
import { listProperties } from '../../../db/items/properties.ts';
import type { Queryable } from '../../../db/pool.ts';
import { bindFilter, isFilterFault, type Filter } from '../../../domain/output/propertyFilters.ts';
import type { Settings } from '../../../domain/output/surfaces.ts';
import { strictObject, text } from '../../../domain/schemas/schema.ts';
import type { FieldFault } from '../../http/errors.ts';
import { authorLimitField, outputRequestFields } from '../../content/output/outputFields.ts';

/** The person, the surface and the cursor can only be in the request. */
const { user: _user, surface: _surface, cursor: _cursor, ...fieldsOfRequest } = outputRequestFields;

const { boosts, pins, ...defaults } = { ...fieldsOfRequest, ...authorLimitField };

export { boosts as boostsField, pins as pinsField };

export const SurfaceDefaults = strictObject(defaults, {
  title: 'SurfaceDefaults',
  description: 'Поля запроса; действуют, где запрос сам их не назвал',
});

export const VariantSettings = strictObject(
  {
    ...defaults,
    boosts,
    pins,
    model: Type.Optional(text(64, { minLength: 1, description: 'id опубликованной модели, по которой ранжировать' })),
  },
  { title: 'VariantSettings', description: 'Поля запроса, которые у варианта другие, или модель' },
);

/** Returns the filters of a part of a surface, with the paths of their fields. */
function filtersOf(settings: Settings, path: string): { filter: Filter; field: string }[] {
  const filters = (settings['filters'] ?? []) as readonly Filter[];
  const boosted = (settings['boosts'] ?? []) as readonly { filter: Filter }[];
  return [
    ...filters.map((filter, at) => ({ filter, field: `${path}filters[${at}]` })),
    ...boosted.map(({ filter }, at) => ({ filter, field: `${path}boosts[${at}].filter` })),
  ];
}

/**
 * Checks a surface's filters against the project's declared properties, and returns the faults.
 * @param parts settings that passed their schemas, by the path of their fields with a trailing dot
 */
export async function filterFaults(
  pool: Queryable,
  projectId: string,
  parts: Readonly<Record<string, Settings>>,
): Promise<FieldFault[]> {
  const filters = Object.entries(parts).flatMap(([path, settings]) => filtersOf(settings, path));
  if (filters.length === 0) return [];
  const declared = new Map((await listProperties(pool, projectId)).map((property) => [property.name, property]));
  return filters.flatMap(({ filter, field }) => {
    const result = bindFilter(filter, declared);
    return isFilterFault(result) ? [{ field: `${field}.${result.part}`, code: result.code }] : [];
  });
}
