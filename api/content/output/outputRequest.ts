/** Parses a request for output into the form that output/serve needs. */
import type pg from 'pg';
import { listProperties } from '../../../db/items/properties.ts';
import { parseOptionalDateTime } from '../../../domain/dateTime.ts';
import { identifiersOf } from '../../../domain/people/identity.ts';
import type { Boost } from '../../../domain/output/boosts.ts';
import { bindFilter, isFilterFault, type BoundFilter, type Filter } from '../../../domain/output/propertyFilters.ts';
import { hashOfRequest, type Cursors, type PagePosition } from '../../../output/serve/request/cursors.ts';
import type { NamedPath, OutputPath } from '../../../output/serve/request/pathsAndDefaults.ts';
import type { OutputRequest } from '../../../output/serve/request/outputRequest.ts';
import type { OutputDeps } from '../../../output/serve/serveOutput.ts';
import type { ProjectCaller } from '../../auth/projectKey.ts';
import { invalidRequest, notFound, validationFailed, type FieldFault, type HttpError } from '../../http/errors.ts';
import { endUserOf } from '../endUser.ts';
import { DEFAULT_OUTPUT_LIMIT, MAX_OUTPUT_LIMIT } from '../../../domain/output/requestLimits.ts';
import type { OutputBody } from './outputFields.ts';
import { applySurfaceDefaults } from './applySurfaceDefaults.ts';
import { DEFAULT_EXPLORATION } from '../../../domain/output/page/exploration.ts';
import { DEFAULT_DIVERSITY } from '../../../domain/output/page/diversity.ts';

/** A body and its path. */
export interface OutputRequestInput<P extends NamedPath = OutputPath> {
  path: P;
  body: OutputBody;
  /** Items that the answer is about. */
  subjects: readonly string[];
  /** Whether the person's taste counts. By default it does where the path is personal. */
  signals?: boolean;
  /** The path's own limit: the default, and the maximum, to which the higher limit of a surface is reduced. */
  limits?: { usual: number; most: number };
}

const LIMITS = { usual: DEFAULT_OUTPUT_LIMIT, most: MAX_OUTPUT_LIMIT };

/**
 * Surface and person are read for each request and each page: a change applies to the next one.
 * @throws {HttpError} 400 for a cursor of another request, 422 for filters that the project does not have, 404 for a
 * subject that never existed
 */
export async function readOutputRequest<P extends NamedPath>(
  { pool, cursors, begin }: OutputDeps,
  { projectId, fingerprints }: ProjectCaller,
  { path, body: sent, subjects, signals = path.isPersonal, limits = LIMITS }: OutputRequestInput<P>,
): Promise<OutputRequest<P>> {
  const startedAt = performance.now();
  const bodyHash = hashOfRequest(path.name, sent);
  const position = typeof sent.cursor === 'string' ? readCursor(cursors, projectId, sent.cursor, bodyHash) : null;
  const identifiers = sent.user ? identifiersOf(endUserOf(sent.user), fingerprints) : [];
  const name = sent.surface ?? '';
  const { person, surface, known, changedAt } = await begin(projectId, {
    identifiers,
    signals,
    surface: name === '' ? null : name,
    subjects,
  });
  const { body, variant, lot, model } = await applySurfaceDefaults(pool, sent, surface, {
    projectId,
    identifiers,
    position,
  });
  const conditions = await bindConditions(pool, projectId, body, sent);
  if (!subjects.every((id) => known.has(id))) throw notFound();
  return {
    projectId,
    path,
    subjects,
    bodyHash,
    position,
    startedAt,
    person,
    changedAt,
    surface: body.surface ?? null,
    variant,
    lot,
    model,
    fields: body.fields ?? [],
    explain: body.explain ?? false,
    limit: Math.min(body.limit ?? limits.usual, limits.most),
    ...conditions,
    types: body.types ?? null,
    authors: body.authors ?? null,
    excludedAuthors: body.exclude_authors ?? [],
    publishedAfter: parseOptionalDateTime(body.published_after),
    publishedBefore: parseOptionalDateTime(body.published_before),
    maxAgeRating: body.max_age_rating ?? null,
    exclude: body.exclude ?? [],
    includeSeen: body.include_seen ?? path.includeSeen,
    context: body.context ? { city: body.context.city ?? null, country: body.context.country ?? null } : null,
    pins: body.pins ?? [],
    diversity: body.diversity ?? DEFAULT_DIVERSITY,
    maxPerAuthor: path.maxPerAuthor === null ? null : (body.max_per_author ?? path.maxPerAuthor),
    rotationHours: body.rotation_hours ?? 0,
    exploration: body.exploration ?? DEFAULT_EXPLORATION,
  };
}

function readCursor(cursors: Cursors, projectId: string, cursor: string, bodyHash: string): PagePosition {
  const position = cursors.read(projectId, cursor, bodyHash);
  if (position === null) throw wrongCursor();
  return position;
}

/** Returns the error for a cursor whose page cannot be found. */
export function wrongCursor(): HttpError {
  return invalidRequest([{ field: 'cursor', code: 'invalid_value' }]);
}

interface Conditions {
  filters: readonly BoundFilter[];
  boosts: readonly Boost[];
}

/**
 * Binds filters and boosts to the project's properties. Those of a surface were valid when it was written. If its
 * filters no longer are, the request fails, since they may have to exclude something; boosts exclude nothing, so
 * invalid ones of a surface are ignored.
 */
async function bindConditions(
  pool: pg.Pool,
  projectId: string,
  { filters = [], boosts = [] }: OutputBody,
  sent: OutputBody,
): Promise<Conditions> {
  if (filters.length + boosts.length === 0) return { filters: [], boosts: [] };
  const declared = new Map((await listProperties(pool, projectId)).map((property) => [property.name, property]));
  const faults: FieldFault[] = [];
  const bind = (filter: Filter, field: string): BoundFilter[] => {
    const result = bindFilter(filter, declared);
    if (!isFilterFault(result)) return [result];
    faults.push({ field: `${field}.${result.part}`, code: result.code });
    return [];
  };
  const boundFilters = filters.flatMap((filter, at) => bind(filter, `filters[${at}]`));
  const isSurfaceBroken = sent.filters === undefined && faults.length > 0;
  if (isSurfaceBroken) throw validationFailed([{ field: 'surface', code: faults[0]?.code ?? 'invalid_value' }]);
  const boundBoosts = boosts.flatMap(({ filter, factor }, at) =>
    bind(filter, `boosts[${at}].filter`).map((bound) => ({ filter: bound, factor })),
  );
  const own = faults.filter(({ field }) => sent.boosts !== undefined || !field.startsWith('boosts['));
  if (own.length > 0) throw validationFailed(own);
  return { filters: boundFilters, boosts: boundBoosts };
}
