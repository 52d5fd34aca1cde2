/**
 * Serves a search: selection finds, counts and orders; the first hits are judged by the tables as they are now
 * (output/serve/candidates/allowedCandidates.ts); the page is stored like one of recommendations.
 */
import type { OutputPerson } from '../../../db/output/person/person.ts';
import { readAllSeen } from '../../../db/output/person/seen.ts';
import { NO_SIGNALS } from '../../../db/output/person/personSignals.ts';
import { readRecommendationId, type OutputMode } from '../../../domain/output/recommendationId.ts';
import type { FacetCount } from '../../../domain/search/facetAndSortNames.ts';
import { interestKeys } from '../../interests.ts';
import { arrangePage, type PinnedFinalist } from '../../serve/page/arrangePage.ts';
import type { Candidate, Finalist, KeepAllowed } from '../../serve/candidates/allowedCandidates.ts';
import type { PagePosition } from '../../serve/request/cursors.ts';
import type { EarlierPages } from '../../serve/snapshots/earlierPages.ts';
import type { Gathered } from '../../serve/candidates/gatherFinalists.ts';
import { newPage, samePage, type OutputAnswer } from '../../serve/page/answerPage.ts';
import { excludesSeen, openRequest, type RequestContext } from '../../serve/openRequest.ts';
import { readPinned } from '../../serve/page/pinned.ts';
import type { OutputDeps } from '../../serve/serveOutput.ts';
import type {
  Marks,
  SearchQuestion,
  SearchReply,
  SentMeaning,
  Taste,
  WordForms,
} from '../../messages/searchMessages.ts';
import { countFacets, fallbackHits, partsCounted } from './fallback.ts';
import { marksOfQuery } from './highlights.ts';
import type { SearchRequest } from './searchRequest.ts';

export interface SearchAnswer extends OutputAnswer {
  /** Exact number of hits. */
  total: number;
  facets: readonly FacetCount[];
  corrected: string | null;
  marks: Marks;
  /** Forms of the marks' stems, as far as they are known. */
  forms: WordForms;
  /** The numbers of the pictures that look like the query, by item. */
  pictures: ReadonlyMap<string, number>;
  /** The query's vector; null if the search was by words alone. */
  meaning: SentMeaning | null;
}

/** Some hits may not pass the check any more; then further ones are requested. */
const SPARE = 10;
const ROUNDS = 3;

/**
 * @throws {LostPageError} when the page that the cursor continues is unknown
 * @throws when the database does not answer
 */
export function serveSearch(deps: OutputDeps, request: SearchRequest): Promise<SearchAnswer> {
  return deps.turns.inTurn(request.projectId, request.position, () => searchPage(deps, request));
}

async function searchPage(deps: OutputDeps, request: SearchRequest): Promise<SearchAnswer> {
  const requestContext = await openRequest(deps, request, { also: partsCounted(request) });
  const [question, pinned] = await Promise.all([
    questionOf(deps, request, requestContext),
    readPinned(request, requestContext.keepAllowed, requestContext.earlier.shown),
  ]);
  // The time is not counted from the beginning of the request, which may have waited for the snapshot of the page
  // before.
  const until = performance.now() + deps.selection.deadlineMs;
  const pageContext: PageContext = { ...requestContext, question, pinned, until };
  const fromSelection =
    firstPageMode(request) === 'fallback' ? null : await searchSelection(deps, request, pageContext);
  const answer = fromSelection ?? (await searchFallback(deps, request, pageContext));
  deps.metrics.answered('search', answer.mode, performance.now() - request.startedAt);
  return answer;
}

/**
 * Returns the mode of the answer's first page; null on that page. Later pages search in the same mode, so that they
 * find what it counted: by words alone if the vector of the query was late, and by titles if selection was.
 */
function firstPageMode({ position }: SearchRequest): OutputMode | null {
  return position === null ? null : (readRecommendationId(position.recommendationId)?.mode ?? null);
}

interface PageContext extends RequestContext {
  /** The question, to which each round adds the items to pass over. */
  question: SearchQuestion;
  pinned: readonly PinnedFinalist[];
  /** Deadline for the answers of selection. */
  until: number;
}

async function questionOf(
  { pool }: OutputDeps,
  request: SearchRequest,
  { person, asked, earlier }: RequestContext,
): Promise<SearchQuestion> {
  const { projectId, query, typos, prefix, explain, facets, sort, position, changedAt } = request;
  const isWithoutPictures = position?.isWithoutPictures ?? false;
  const semantic = firstPageMode(request) === 'lexical' ? 0 : request.semantic;
  const seen = excludesSeen(request, person) ? await readAllSeen(pool, projectId, person.memberIds) : [];
  const limit = request.limit + SPARE;
  const pinned = [...request.pins.map(({ item }) => item), ...shownBefore(earlier)];
  const ordering = { sort, taste: tasteOf(request, person), boosts: request.boosts, limit };
  const matching = { query, semantic, isWithoutPictures, explain, typos, prefix, facets };
  return { projectId, ...asked, ...ordering, ...matching, seen, passedOver: [], pinned, changedAt };
}

/**
 * Returns what earlier pages have shown, and this one when it was answered before: total and facets count all pages of
 * the answer, even if the query finds less now. Where `include_seen` is false, selection and the check leave out what
 * the person has met since.
 */
function shownBefore({ shown, page }: EarlierPages): string[] {
  return [...shown, ...(page?.itemIds ?? [])];
}

/** Returns the person's taste; null when nothing is known about it. */
function tasteOf({ personal }: SearchRequest, person: OutputPerson | null): Taste | null {
  const { items, interests, followedAuthors } = person?.signals ?? NO_SIGNALS;
  const liked = items.flatMap(({ item, weight }) => (weight > 0 ? [{ id: item, weight }] : []));
  if (liked.length + interests.length + followedAuthors.length === 0) return null;
  return { weight: personal, items: liked, authors: followedAuthors, interests: interestKeys(interests) };
}

/** Returns null when selection does not answer in time. */
async function searchSelection(
  deps: OutputDeps,
  request: SearchRequest,
  pageContext: PageContext,
): Promise<SearchAnswer | null> {
  const { earlier, keepAllowed, question, pinned, until } = pageContext;
  const passedOver = new Set([...earlier.shown, ...pinned.map(({ finalist }) => finalist.id)]);
  const finalists: Finalist[] = [];
  const pictures = new Map<string, number>();
  let reply: SearchReply | null = null;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const roundQuestion = { ...question, passedOver: [...passedOver] };
    const more: SearchReply | null = await deps.selection.search(roundQuestion, until - performance.now());
    if (more === null) break;
    reply = more;
    for (const { id, picture } of more.found) if (picture !== undefined) pictures.set(id, picture);
    if (earlier.page !== null) break;
    const candidates = more.found.map(({ id, score, factor, parts }): Candidate => {
      const details = { ...(factor !== undefined && { factor }), ...(parts && { parts }) };
      return { id, score, reason: { code: 'match' }, ...details };
    });
    finalists.push(...(await keepAllowed(candidates)));
    for (const { id } of candidates) passedOver.add(id);
    if (more.isAll || finalists.length > request.limit) break;
  }
  if (reply === null) return null;
  const { mode, model, meaning = null, isSightLate = false, total, facets, corrected, marks, forms = {} } = reply;
  const gathered = { mode, model, finalists, isAll: reply.isAll, isWithoutPictures: isSightLate };
  const answer = await pageOf(deps, request, pageContext, gathered);
  return { ...answer, total, facets, corrected, marks, forms, pictures, meaning };
}

async function searchFallback(
  deps: OutputDeps,
  request: SearchRequest,
  pageContext: PageContext,
): Promise<SearchAnswer> {
  const { earlier, keepAllowed, pinned } = pageContext;
  const [found, pins] = await Promise.all([
    fallbackHits(deps, request, keepAllowed),
    readPinned(request, keepAllowed, new Set()),
  ]);
  const foundIds = new Set(found.map(({ id }) => id));
  const unlisted = shownBefore(earlier).filter((id) => !foundIds.has(id));
  const shown = await allowedOf(unlisted, keepAllowed);
  const hits = new Map([...found, ...shown, ...pins.map(({ finalist }) => finalist)].map((one) => [one.id, one]));
  const shownElsewhere = new Set([...earlier.shown, ...pinned.map(({ finalist }) => finalist.id)]);
  const finalists = found.filter(({ id }) => !shownElsewhere.has(id));
  const answer = await pageOf(deps, request, pageContext, { mode: 'fallback', model: null, finalists, isAll: true });
  return {
    ...answer,
    total: hits.size,
    facets: countFacets([...hits.values()], request.facets),
    corrected: null,
    marks: marksOfQuery(request.query),
    forms: {},
    pictures: new Map(),
    meaning: null,
  };
}

/** Number of items that one statement checks. An answer of fifty pages has shown up to 5,000. */
const CHECKED_AT_ONCE = 500;

/** Returns those items of earlier pages that may still be shown. */
async function allowedOf(ids: readonly string[], keepAllowed: KeepAllowed): Promise<Finalist[]> {
  const allowed: Finalist[] = [];
  for (let from = 0; from < ids.length; from += CHECKED_AT_ONCE) {
    const batch = ids.slice(from, from + CHECKED_AT_ONCE);
    allowed.push(...(await keepAllowed(batch.map((id) => ({ id, score: 0, reason: { code: 'match' } })))));
  }
  return allowed;
}

async function pageOf(
  deps: OutputDeps,
  request: SearchRequest,
  { person, earlier, keepAllowed, pinned }: PageContext,
  { isWithoutPictures = false, ...gathered }: Gathered & Pick<PagePosition, 'isWithoutPictures'>,
): Promise<OutputAnswer> {
  if (earlier.page !== null) {
    const answer = await samePage(deps, request, { keepAllowed, page: earlier.page });
    // The mode and the model by which total and facets are counted now.
    return { ...answer, mode: gathered.mode, model: gathered.model };
  }
  const arranged = arrangePage(request, { ...gathered, pinned });
  return newPage(deps, request, { person, gathered, arranged, isWithoutPictures });
}
