/**
 * From a search to its answer: selection finds, counts and orders, the first hits are judged by the tables as they are
 * now (output/serve/candidates.ts), and the page is written down as one of recommendations is.
 */
import { readOutputPerson, readSeenItems, type OutputPerson } from '../../../db/output/person.ts';
import { readSignals } from '../../../db/output/signals.ts';
import { readAllSeen } from '../../../db/search/seen.ts';
import type { FacetCount } from '../../../domain/search/refinements.ts';
import { interestKeys } from '../../interests.ts';
import { arrangePage, type PinnedFinalist } from '../../serve/arranged.ts';
import { createJudge, type Candidate, type Finalist, type Judge } from '../../serve/candidates.ts';
import type { Gathered } from '../../serve/gather.ts';
import { newPage, samePage, type OutputAnswer } from '../../serve/page.ts';
import { readEarlierPages, type EarlierPages } from '../../serve/pages.ts';
import { readPinned } from '../../serve/pinned.ts';
import { rulesOf, suppressedFor } from '../../serve/rulesOf.ts';
import type { OutputDeps } from '../../serve/serve.ts';
import type { Marks, SearchQuestion, SearchReply, Taste } from '../messages.ts';
import { countFacets, fallbackHits } from './fallback.ts';
import { marksOfQuery } from './highlights.ts';
import type { SearchRequest } from './request.ts';

export interface SearchAnswer extends OutputAnswer {
  /** Exact. */
  total: number;
  facets: readonly FacetCount[];
  corrected: string | null;
  marks: Marks;
}

const FIRST_PAGE: EarlierPages = { shown: new Set(), page: null };
/** Some hits may be gone by the time they are judged; then others are asked for. */
const SPARE = 10;
const ROUNDS = 3;

/**
 * @throws {LostPage} when the page that the cursor goes on from is not known
 * @throws when the database does not answer
 */
export async function serveSearch(deps: OutputDeps, request: SearchRequest): Promise<SearchAnswer> {
  const { pool, snapshots, metrics } = deps;
  const { projectId, place } = request;
  const started = performance.now();
  const [person, earlier] = await Promise.all([
    readOutputPerson(pool, projectId, request.identifiers),
    place === null ? FIRST_PAGE : readEarlierPages(pool, snapshots, projectId, place),
  ]);
  const asked = { rules: rulesOf(request, person), suppressed: suppressedFor(person) };
  const judge = createJudge({ pool, projectId, ...asked });
  const filter = (candidates: readonly Candidate[]): Promise<readonly Candidate[]> =>
    withoutMet(deps, request, person, candidates);
  const [question, pinned] = await Promise.all([
    questionOf(deps, request, { person, asked }),
    readPinned(request, { filter, judge }, earlier.shown),
  ]);
  const until = started + deps.selection.deadlineMs;
  const serving: Serving = { person, earlier, judge, filter, question, pinned, until, started };
  const answer = (await found(deps, request, serving)) ?? (await fallenBack(deps, request, serving));
  metrics.answered('search', answer.mode, performance.now() - started);
  return answer;
}

interface Serving {
  person: OutputPerson | null;
  earlier: EarlierPages;
  judge: Judge;
  /** Leaves out what was met since the question was made, and what of a very long history it could not name. */
  filter(candidates: readonly Candidate[]): Promise<readonly Candidate[]>;
  /** Without what was shown. */
  question: SearchQuestion;
  pinned: readonly PinnedFinalist[];
  /** When selection is not waited for any longer. */
  until: number;
  started: number;
}

async function questionOf(
  { pool }: OutputDeps,
  request: SearchRequest,
  { person, asked }: { person: OutputPerson | null; asked: Pick<SearchQuestion, 'rules' | 'suppressed'> },
): Promise<SearchQuestion> {
  const { projectId, query, semantic, typos, prefix, facets, sort, includeSeen, personal } = request;
  const isHistoryUsed = person?.personalization === true;
  const [seen, taste] = await Promise.all([
    includeSeen || !isHistoryUsed ? [] : readAllSeen(pool, projectId, person.memberIds),
    personal === 0 || !isHistoryUsed ? null : readTaste(pool, request, person),
  ]);
  const limit = request.limit + SPARE;
  const pinned = request.pins.map(({ item }) => item);
  const ordering = { sort, taste, boosts: request.boosts, limit };
  return { projectId, ...asked, ...ordering, seen, passedOver: [], pinned, query, semantic, typos, prefix, facets };
}

/** Null when there is nothing to go by. */
async function readTaste(
  pool: OutputDeps['pool'],
  { projectId, personal }: SearchRequest,
  person: OutputPerson,
): Promise<Taste | null> {
  const { items, interests, followedAuthors } = await readSignals(pool, projectId, person);
  const liked = items.flatMap(({ item, weight }) => (weight > 0 ? [{ id: item, weight }] : []));
  if (liked.length + interests.length + followedAuthors.length === 0) return null;
  return { weight: personal, items: liked, authors: followedAuthors, interests: interestKeys(interests) };
}

/** Null when selection does not answer in time. */
async function found(deps: OutputDeps, request: SearchRequest, serving: Serving): Promise<SearchAnswer | null> {
  const { earlier, judge, filter, question, pinned, until } = serving;
  const met = new Set([...earlier.shown, ...pinned.map(({ finalist }) => finalist.id)]);
  const finalists: Finalist[] = [];
  let reply: SearchReply | null = null;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const asked = { ...question, passedOver: [...met] };
    const more: SearchReply | null = await deps.selection.search(asked, until - performance.now());
    if (more === null) break;
    reply = more;
    if (earlier.page !== null) break;
    const candidates = more.found.map((one): Candidate => ({ ...one, reason: { code: 'match' } }));
    finalists.push(...(await judge(await filter(candidates))));
    for (const { id } of candidates) met.add(id);
    if (more.isAll || finalists.length > request.limit) break;
  }
  if (reply === null) return null;
  const { mode, model, total, facets, corrected, marks } = reply;
  const answer = await pageOf(deps, request, serving, { mode, model, finalists, isAll: reply.isAll });
  return { ...answer, total, facets, corrected, marks };
}

async function fallenBack(deps: OutputDeps, request: SearchRequest, serving: Serving): Promise<SearchAnswer> {
  const { earlier, pinned } = serving;
  const [found, pins] = await Promise.all([
    fallbackHits(deps, request, serving),
    readPinned(request, serving, new Set()),
  ]);
  const hits = new Map([...found, ...pins.map(({ finalist }) => finalist)].map((one) => [one.id, one]));
  const away = new Set([...earlier.shown, ...pinned.map(({ finalist }) => finalist.id)]);
  const finalists = found.filter(({ id }) => !away.has(id));
  const answer = await pageOf(deps, request, serving, { mode: 'fallback', model: null, finalists, isAll: true });
  return {
    ...answer,
    total: hits.size,
    facets: countFacets([...hits.values()], request.facets),
    corrected: null,
    marks: marksOfQuery(request.query),
  };
}

async function withoutMet(
  { pool }: OutputDeps,
  { projectId, includeSeen }: SearchRequest,
  person: OutputPerson | null,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (includeSeen || !person?.personalization) return candidates;
  const ids = candidates.map(({ id }) => id);
  const seen = await readSeenItems(pool, projectId, person.memberIds, ids);
  return candidates.filter(({ id }) => !seen.has(id));
}

async function pageOf(
  deps: OutputDeps,
  request: SearchRequest,
  { person, earlier, judge, pinned, started }: Serving,
  gathered: Gathered,
): Promise<OutputAnswer> {
  if (earlier.page !== null) return samePage(deps, request, { judge, page: earlier.page });
  const arranged = arrangePage(request, { ...gathered, pinned });
  return newPage(deps, request, { person, gathered, arranged, started });
}
