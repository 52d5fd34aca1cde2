/** The common processing of output requests, and the format of the responses in the content API. */
import { LostPageError } from '../../../output/serve/snapshots/earlierPages.ts';
import type { Shown } from '../../../output/serve/page/arrangePage.ts';
import type { OutputAnswer } from '../../../output/serve/page/answerPage.ts';
import type { NamedPath } from '../../../output/serve/request/pathsAndDefaults.ts';
import type { OutputRequest } from '../../../output/serve/request/outputRequest.ts';
import { serveOutput, type OutputDeps } from '../../../output/serve/serveOutput.ts';
import { answerFieldsOf } from '../../../output/serve/request/answerFields.ts';
import { scaled } from '../../../domain/output/boosts.ts';
import type { Static } from '../../../domain/schemas/schema.ts';
import type { ProjectCaller } from '../../auth/projectKey.ts';
import type { Reply } from '../../http/operations/operation.ts';
import type { OutputResponse } from './outputFields.ts';
import { readOutputRequest, wrongCursor, type OutputRequestInput } from './outputRequest.ts';

/**
 * @throws {HttpError} 400 for an invalid cursor, 404 for a subject that never existed, 422 for filters that the project
 * does not have
 */
export async function answerOutput(
  output: OutputDeps,
  caller: ProjectCaller,
  given: OutputRequestInput,
): Promise<Reply> {
  const request = await readOutputRequest(output, caller, given);
  const answer = await serveOutput(output, request).catch((error: unknown) => {
    throw error instanceof LostPageError ? wrongCursor() : error;
  });
  return { status: 200, body: toResponse(request, answer) };
}

/** Returns the part of a response that is common to all paths. */
export function toResponse(
  { fields, explain }: OutputRequest<NamedPath>,
  { recommendationId, mode, model, shown, nextCursor }: OutputAnswer,
): Static<typeof OutputResponse> {
  return {
    recommendation_id: recommendationId,
    mode,
    model,
    items: shown.map((one) => ({
      id: one.item.id,
      position: one.position,
      score: one.score,
      reason: one.reason,
      ...(fields.length > 0 && { fields: answerFieldsOf(one.item, fields) }),
      ...(explain && { explain: explanationOf(one, model) }),
    })),
    next_cursor: nextCursor,
  };
}

/**
 * Returns the composition of the score: the relevance of a match, with its parts if it has any; the parts of a ranking,
 * which are empty for a pin; the subject and the cosine of a similar item; the popularity of a popular item in a
 * fallback; otherwise the item's publication time.
 */
function explanationOf(shown: Shown, model: string | null): Record<string, unknown> {
  const { factor } = shown;
  return { ...scoreComposition(shown, model), ...(factor !== undefined && { factor }) };
}

/** Number of decimals of the most precise scores, those of searches and fallbacks. */
const SCORE_DECIMALS = 6;

function scoreComposition(
  { reason, score, item, parts, factor = 1 }: Shown,
  model: string | null,
): Record<string, unknown> {
  const by = model === null ? {} : { model };
  const unscaled = (digits: number): number => Number(scaled(score, 1 / factor).toFixed(digits));
  if (reason.code === 'match') return { relevance: unscaled(SCORE_DECIMALS), ...(parts && { parts }), ...by };
  if (parts) return { parts, ...by };
  if (reason.code === 'pinned') return { parts: {} };
  if (reason.code === 'similar') return { subject: reason.item, cosine: unscaled(4), ...by };
  if (reason.code === 'popular') return { parts: { popularity: unscaled(SCORE_DECIMALS) } };
  return { published_at: item.publishedAt.toISOString() };
}
