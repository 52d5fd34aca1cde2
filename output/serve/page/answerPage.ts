/**
 * The pages of an answer: a new page is stored after the response, and a page that was answered before is answered in
 * the same way.
 */
import type { OutputPerson } from '../../../db/output/person/person.ts';
import type { ShownPage, StoredReason } from '../../../db/output/snapshots.ts';
import { newRecommendationId, type OutputMode } from '../../../domain/output/recommendationId.ts';
import type { ArrangedPage, Shown } from './arrangePage.ts';
import type { Candidate, KeepAllowed } from '../candidates/allowedCandidates.ts';
import type { Cursors } from '../request/cursors.ts';
import type { Gathered } from '../candidates/gatherFinalists.ts';
import type { NamedPath } from '../request/pathsAndDefaults.ts';
import type { OutputRequest } from '../request/outputRequest.ts';
import type { SnapshotWriter } from '../snapshots/snapshotWriter.ts';
import { propensitiesOf } from './propensities.ts';

export interface PageDeps {
  snapshots: SnapshotWriter;
  cursors: Cursors;
}

export interface OutputAnswer {
  recommendationId: string;
  mode: OutputMode;
  model: string | null;
  shown: readonly Shown[];
  nextCursor: string | null;
}

interface Making {
  person: OutputPerson | null;
  gathered: Gathered;
  arranged: ArrangedPage;
  /** {@link PagePosition.isWithoutPictures}, of a first page. */
  isWithoutPictures?: boolean;
}

/** Returns the finalists as a page, and stores it for the pages after it and for repeated requests. */
export function newPage(
  { snapshots, cursors }: PageDeps,
  request: OutputRequest<NamedPath>,
  { person, gathered: { mode, model, isAll }, arranged: { shown, left }, isWithoutPictures = false }: Making,
): OutputAnswer {
  const { projectId, position, surface, path, variant, lot } = request;
  const recommendationId = position?.recommendationId ?? newRecommendationId({ mode, variant });
  const page = position?.page ?? 0;
  const firstPosition = position?.firstPosition ?? 0;
  // An empty page has no next one: it would be searched for among the same candidates.
  const hasNext = shown.length > 0 && (left > 0 || !isAll);
  // An answer without any item is stored, too, so that it is counted.
  if (shown.length > 0 || page === 0)
    snapshots.add({
      projectId,
      id: recommendationId,
      page,
      path: path.name,
      identityId: person?.personalization ? person.rootId : null,
      surface,
      mode,
      model,
      variant: variant && `${variant.experiment}.${variant.index}`,
      lot,
      itemIds: shown.map(({ item }) => item.id),
      scores: shown.map(({ score }) => score),
      reasons: shown.map((one) => storedReason(one, request)),
      propensities: propensitiesOf(shown, { exploration: request.path.isPersonal ? request.exploration : 0, mode }),
      firstPosition,
      hasNext,
      latencyMs: performance.now() - request.startedAt,
      createdAt: new Date(),
    });
  const after = { page, shownTo: firstPosition + shown.length, isWithoutPictures };
  return {
    recommendationId,
    mode,
    model,
    shown,
    nextCursor: hasNext ? nextOf(cursors, request, recommendationId, after) : null,
  };
}

/**
 * Returns a page that was answered before: the same items at the same positions, without those that the rules no longer
 * allow.
 */
export async function samePage(
  { cursors }: PageDeps,
  request: OutputRequest<NamedPath>,
  { keepAllowed, page }: { keepAllowed: KeepAllowed; page: ShownPage },
): Promise<OutputAnswer> {
  const recommendationId = request.position?.recommendationId ?? '';
  const candidates = page.itemIds.map((id, at): Candidate => {
    const { parts, factor, ...reason } = page.reasons[at] ?? { code: 'new' };
    const made = { ...(parts && { parts }), ...(factor !== undefined && { factor }) };
    return { id, score: page.scores[at] ?? 0, reason, ...made };
  });
  const positions = new Map(page.itemIds.map((id, at) => [id, page.firstPosition + at]));
  const finalists = await keepAllowed(candidates);
  const shown = finalists.map(({ id, ...finalist }) => ({ ...finalist, position: positions.get(id) ?? 0 }));
  const after = { page: page.page, shownTo: page.firstPosition + page.itemIds.length };
  return {
    recommendationId,
    mode: page.mode,
    model: page.model,
    shown,
    nextCursor: page.hasNext ? nextOf(cursors, request, recommendationId, after) : null,
  };
}

/** A page that is answered again explains its scores as it did the first time. */
function storedReason({ reason, parts, factor }: Shown, { explain }: OutputRequest<NamedPath>): StoredReason {
  return { ...reason, ...(explain && parts && { parts }), ...(explain && factor !== undefined && { factor }) };
}

function nextOf(
  cursors: Cursors,
  { projectId, bodyHash, position }: OutputRequest<NamedPath>,
  recommendationId: string,
  { page, shownTo, isWithoutPictures = false }: { page: number; shownTo: number; isWithoutPictures?: boolean },
): string {
  return cursors.write(projectId, {
    recommendationId,
    page: page + 1,
    firstPosition: shownTo,
    bodyHash,
    isWithoutPictures: position === null ? isWithoutPictures : position.isWithoutPictures === true,
  });
}
