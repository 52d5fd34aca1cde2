/** The common beginning of every output request: its earlier pages, rules, and check of candidates. */
import type pg from 'pg';
import type { RequestData, RequestDataQuery } from '../../db/output/readBeforeRanking.ts';
import type { OutputPerson } from '../../db/output/person/person.ts';
import { createCandidateCheck, type KeepAllowed, type CandidateCheckOptions } from './candidates/allowedCandidates.ts';
import { suppressedFor } from './candidates/suppressSimilar.ts';
import type { NamedPath } from './request/pathsAndDefaults.ts';
import { readEarlierPages, type EarlierPages } from './snapshots/earlierPages.ts';
import type { OutputRequest } from './request/outputRequest.ts';
import { rulesOf } from './request/requestRules.ts';
import type { SnapshotWriter } from './snapshots/snapshotWriter.ts';
import type { RankQuestionBase } from '../messages/selectionMessages.ts';

export interface RequestContext {
  person: OutputPerson | null;
  earlier: EarlierPages;
  /** Part of the question to selection, so that it does not fill a page with items that would be rejected. */
  asked: Pick<RankQuestionBase, 'rules' | 'suppressed'>;
  keepAllowed: KeepAllowed;
}

const FIRST_PAGE: EarlierPages = { shown: new Set(), page: null };

export interface OpeningDeps {
  pool: pg.Pool;
  snapshots: SnapshotWriter;
  /**
   * Reads the person of a request and what else it needs before it can be parsed (api/content/output/outputRequest.ts).
   */
  begin(projectId: string, wanted: RequestDataQuery): Promise<RequestData>;
  /** Observes how a request began, for callers that need more than the answer. */
  watch?(request: OutputRequest<NamedPath>, opening: RequestContext): void;
}

/**
 * @param also parts of items that are needed besides those for the rules and the answer
 * @throws {LostPageError} when the page that the cursor continues is unknown
 * @throws when the database does not answer
 */
export async function openRequest(
  { pool, snapshots, watch }: OpeningDeps,
  request: OutputRequest<NamedPath>,
  { also = [] }: Pick<CandidateCheckOptions, 'also'> = {},
): Promise<RequestContext> {
  const { projectId, position, fields, person } = request;
  const earlier =
    position === null ? FIRST_PAGE : await readEarlierPages(pool, snapshots, { projectId, position, person });
  const asked = { rules: rulesOf(request, person), suppressed: suppressedFor(person) };
  const keepAllowed = createCandidateCheck({
    pool,
    projectId,
    ...asked,
    // A repeated page keeps items that were met since.
    excludeSeenBy: earlier.page === null && excludesSeen(request, person) ? person.memberIds : [],
    fields,
    also,
  });
  const opening = { person, earlier, asked, keepAllowed };
  watch?.(request, opening);
  return opening;
}

/** Returns true when items that the person has met are excluded; without a history nothing is excluded. */
export function excludesSeen(
  { includeSeen }: Pick<OutputRequest<NamedPath>, 'includeSeen'>,
  person: OutputPerson | null,
): person is OutputPerson {
  return !includeSeen && person?.personalization === true;
}
