/** Parses a search into the form that output/search needs. */
import type { PropertyDeclaration } from '../../../domain/items/properties.ts';
import { facetOf, sortKeyOf, type FacetName, type SearchSort } from '../../../domain/search/facetAndSortNames.ts';
import { listProperties } from '../../../db/items/properties.ts';
import type { SearchRequest } from '../../../output/search/serve/searchRequest.ts';
import { searchPath, suggestPath } from '../../../output/serve/request/pathsAndDefaults.ts';
import type { OutputDeps } from '../../../output/serve/serveOutput.ts';
import type { ProjectCaller } from '../../auth/projectKey.ts';
import { validationFailed, type FieldFault } from '../../http/errors.ts';
import { readOutputRequest } from './outputRequest.ts';
import type { SearchBodyFields, SuggestBodyFields } from './searchFields.ts';
import { DEFAULT_PERSONAL, DEFAULT_SUGGESTIONS, MAX_SUGGESTIONS } from '../../../domain/output/requestLimits.ts';

const BY_RELEVANCE: SearchSort = { by: { kind: 'relevance' }, dir: 'desc' };

/** @throws {HttpError} as readOutputRequest, and 422 for facets and a sort key that the project does not have */
export async function readSearchRequest(
  output: OutputDeps,
  caller: ProjectCaller,
  body: SearchBodyFields,
): Promise<SearchRequest> {
  const {
    query,
    semantic = 'auto',
    typos = true,
    prefix = false,
    personal = DEFAULT_PERSONAL,
    highlight = true,
  } = body;
  const request = await readOutputRequest(output, caller, {
    path: searchPath,
    body,
    subjects: [],
    signals: personal > 0,
  });
  const refinements = await readRefinements(output, caller.projectId, body);
  return { ...request, query, semantic, typos, prefix, personal, highlight, ...refinements };
}

/** @throws {HttpError} as readOutputRequest */
export async function readSuggestRequest(
  output: OutputDeps,
  caller: ProjectCaller,
  body: SuggestBodyFields,
): Promise<SearchRequest> {
  const { query, typos = true, prefix = true } = body;
  const limits = { usual: DEFAULT_SUGGESTIONS, most: MAX_SUGGESTIONS };
  const request = await readOutputRequest(output, caller, { path: suggestPath, body, subjects: [], limits });
  return {
    ...request,
    // Titles replace completions while these are unavailable.
    fields: ['title'],
    query,
    typos,
    prefix,
    semantic: 0,
    personal: 0,
    facets: [],
    sort: BY_RELEVANCE,
    highlight: true,
  };
}

async function readRefinements(
  { pool }: OutputDeps,
  projectId: string,
  { facets = [], sort }: SearchBodyFields,
): Promise<{ facets: FacetName[]; sort: SearchSort }> {
  if (facets.length === 0 && sort === undefined) return { facets: [], sort: BY_RELEVANCE };
  const declared = new Map<string, PropertyDeclaration>(
    (await listProperties(pool, projectId)).map((property) => [property.name, property]),
  );
  const faults: FieldFault[] = [];
  const wanted = [...new Set(facets)].flatMap((name) => {
    const facet = facetOf(name, declared);
    if (facet === null) faults.push({ field: `facets[${facets.indexOf(name)}]`, code: 'unknown_filter' });
    return facet === null ? [] : [facet];
  });
  const by = sortKeyOf(sort?.by ?? 'relevance', declared);
  if (by === null) faults.push({ field: 'sort.by', code: 'unknown_filter' });
  if (faults.length > 0 || by === null) throw validationFailed(faults);
  return { facets: wanted, sort: { by, dir: sort?.dir ?? 'desc' } };
}
