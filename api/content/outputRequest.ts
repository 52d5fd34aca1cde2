/** A request for output as it came, read into what output/serve works with. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { listProperties } from '../../db/items/properties.ts';
import { parseDateTime } from '../../domain/dateTime.ts';
import { identifiersOf } from '../../domain/identity.ts';
import { bindFilter, isFilterFault, type BoundFilter, type Filter } from '../../domain/output/filters.ts';
import { readPlace } from '../../output/serve/pages.ts';
import type { OutputRequest, PagePlace } from '../../output/serve/request.ts';
import type { ItemType } from '../../domain/steps.ts';
import type { AgeRating } from '../../domain/output/rules.ts';
import type { OutputField } from '../../output/serve/request.ts';
import type { ProjectCaller } from '../auth/projectKey.ts';
import { invalidRequest, validationFailed, type FieldFault } from '../http/errors.ts';
import { endUserOf, type EndUserIds } from './endUser.ts';
import { DEFAULT_OUTPUT_LIMIT } from './outputFields.ts';

/** A body that its schema has passed. */
export interface OutputBody {
  user?: EndUserIds | null;
  surface?: string | null;
  limit?: number;
  cursor?: string | null;
  filters?: Filter[];
  types?: ItemType[];
  authors?: string[];
  exclude_authors?: string[];
  published_after?: string | null;
  published_before?: string | null;
  max_age_rating?: AgeRating | null;
  exclude?: string[];
  include_seen?: boolean;
  fields?: OutputField[];
  explain?: boolean;
}

/**
 * @param defaults what the path does where the body says nothing
 * @throws {HttpError} 400 for a cursor of another request, 422 for filters that the project does not have
 */
export async function readOutputRequest(
  pool: pg.Pool,
  { projectId, fingerprints }: ProjectCaller,
  body: OutputBody,
  { subjects, includeSeen }: { subjects: readonly string[]; includeSeen: boolean },
): Promise<OutputRequest> {
  const bodyHash = hashOf(body);
  return {
    projectId,
    subjects,
    bodyHash,
    place: placeOf(body.cursor ?? null, bodyHash),
    identifiers: body.user ? identifiersOf(endUserOf(body.user), fingerprints) : [],
    surface: body.surface ?? null,
    limit: body.limit ?? DEFAULT_OUTPUT_LIMIT,
    filters: await bindFilters(pool, projectId, body.filters ?? []),
    types: body.types ?? null,
    authors: body.authors ?? null,
    excludedAuthors: body.exclude_authors ?? [],
    publishedAfter: momentOf(body.published_after),
    publishedBefore: momentOf(body.published_before),
    maxAgeRating: body.max_age_rating ?? null,
    exclude: body.exclude ?? [],
    includeSeen: body.include_seen ?? includeSeen,
    fields: body.fields ?? [],
    explain: body.explain ?? false,
  };
}

function momentOf(text: string | null | undefined): Date | null {
  return typeof text === 'string' ? parseDateTime(text) : null;
}

/** Members of an object in any order are the same request. */
function hashOf({ cursor: _cursor, ...body }: OutputBody): string {
  const text = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function placeOf(cursor: string | null, bodyHash: string): PagePlace | null {
  if (cursor === null) return null;
  const place = readPlace(cursor);
  if (place?.bodyHash !== bodyHash) throw invalidRequest([{ field: 'cursor', code: 'invalid_value' }]);
  return place;
}

async function bindFilters(pool: pg.Pool, projectId: string, filters: readonly Filter[]): Promise<BoundFilter[]> {
  if (filters.length === 0) return [];
  const declared = new Map((await listProperties(pool, projectId)).map((property) => [property.name, property]));
  const faults: FieldFault[] = [];
  const bound = filters.flatMap((filter, at) => {
    const result = bindFilter(filter, declared);
    if (!isFilterFault(result)) return [result];
    faults.push({ field: `filters[${at}].${result.part}`, code: result.code });
    return [];
  });
  if (faults.length > 0) throw validationFailed(faults);
  return bound;
}
