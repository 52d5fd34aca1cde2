/**
 * Finds the position of one item in the response to a request, or the reason why it is missing; nothing is stored or
 * counted.
 */
import type { OutputMode } from '../../../../domain/output/recommendationId.ts';
import type { RequestContext } from '../../../../output/serve/openRequest.ts';
import type { NamedPath } from '../../../../output/serve/request/pathsAndDefaults.ts';
import { findObstacles, type Obstacle } from '../../../../output/serve/obstacles.ts';
import type { OutputRequest } from '../../../../output/serve/request/outputRequest.ts';
import type { OutputDeps } from '../../../../output/serve/serveOutput.ts';
import type { Static } from '../../../../domain/schemas/schema.ts';
import { validationFailed } from '../../../http/errors.ts';
import type { ContentDeps } from '../../../content/contentOperation.ts';
import type { OutputResponse } from '../../../content/output/outputFields.ts';
import { createChangedPreview, type ChangedPreview, type Preview, type PreviewQuestion } from './runPreview.ts';

/**
 * shown: on the first page; kept_out: a rule excludes it; author_limit: its author has the maximum number of items on
 * the page; below: it is further down; not_ranked: no rule excludes it, but the ranking does not reach it.
 */
export const PLACE_STATES = ['shown', 'kept_out', 'author_limit', 'below', 'not_ranked'] as const;

export interface PlaceOfItem {
  state: (typeof PLACE_STATES)[number];
  mode: OutputMode;
  /** From 0; null when the item is not shown. */
  position: number | null;
  /**
   * Rank from 1, regardless of the page's limits; null when the item is excluded or not among the first
   * {@link MAX_RANKED}.
   */
  rank: number | null;
  obstacles: readonly Obstacle[];
}

/** @throws {HttpError} as {@link Preview} */
export type FindPlace = (
  caller: Parameters<Preview>[0],
  question: PreviewQuestion,
  itemId: string,
) => Promise<PlaceOfItem>;

/** Maximum size of a page. */
export const MAX_RANKED = 100;
/** Paths that limit the items per author. */
const AUTHOR_LIMITED_PATHS: ReadonlySet<string> = new Set(['feed', 'next', 'popular']);

/** Searches have additional fields and other modes. */
type Answer = Omit<Static<typeof OutputResponse>, 'mode'> & { mode: OutputMode };

interface InspectedAnswer {
  answer: Answer;
  request: OutputRequest<NamedPath>;
  opening: RequestContext;
}

/** @param deps dependencies of the content API, whose responses are inspected */
export function createPlaceFinder(deps: Omit<ContentDeps, 'describe'>): FindPlace {
  const preview = createChangedPreview(deps);
  return async (caller, question, itemId) => {
    refuse(question);
    const { answer, request, opening } = await inspectAnswer(preview, caller, question);
    const { mode } = answer;
    const placed = (state: PlaceOfItem['state'], rest: Partial<PlaceOfItem> = {}): PlaceOfItem => {
      return { state, mode, position: null, rank: null, obstacles: [], ...rest };
    };
    const shown = answer.items.find(({ id }) => id === itemId);
    if (shown) return placed('shown', { position: shown.position, rank: shown.position + 1 });
    const { obstacles, author } = await findObstacles(deps.output.pool, request, opening, itemId);
    if (obstacles.length > 0) return placed('kept_out', { obstacles });
    const longest = await askLongestPage(preview, caller, question);
    const at = longest.items.findIndex(({ id }) => id === itemId);
    if (at !== -1) {
      const isOfAuthor = at < request.limit && isAuthorFull(answer, request, author);
      return placed(isOfAuthor ? 'author_limit' : 'below', { rank: at + 1 });
    }
    return placed(longest.items.length < MAX_RANKED ? 'not_ranked' : 'below');
  };
}

/** Refuses completions, which are not items, and pages after the first, which have no preview. */
function refuse({ path, request }: PreviewQuestion): void {
  if (path === 'search/suggest') throw validationFailed([{ field: 'path', code: 'invalid_value' }]);
  if (typeof request['cursor'] === 'string')
    throw validationFailed([{ field: 'request.cursor', code: 'invalid_value' }]);
}

type PreviewArguments = Pick<Parameters<ChangedPreview>, 0 | 1>;

/** Returns the response as it would be given, with the rules for its items. */
async function inspectAnswer(
  preview: ChangedPreview,
  caller: PreviewArguments[0],
  question: PreviewQuestion,
): Promise<InspectedAnswer> {
  let begun: Pick<InspectedAnswer, 'request' | 'opening'> | undefined;
  const watch: OutputDeps['watch'] = (request, opening) => {
    begun = { request, opening };
  };
  const answer = await askItems(preview, caller, question, (output) => ({ ...output, watch }));
  if (!begun) throw new Error('the preview answered without calling `watch`');
  return { answer, ...begun };
}

/** Requests the author of the items, so that items per author can be counted. */
async function askItems(
  preview: ChangedPreview,
  caller: PreviewArguments[0],
  question: PreviewQuestion,
  change: (output: OutputDeps) => OutputDeps = (output) => output,
): Promise<Answer> {
  const request = { ...question.request, fields: ['author'] };
  const answer = await preview(caller, { ...question, request }, change);
  if (!('items' in answer)) throw new Error('the answer has no items');
  return answer;
}

/** Requests the longest page without an author limit. */
function askLongestPage(
  preview: ChangedPreview,
  caller: PreviewArguments[0],
  question: PreviewQuestion,
  change?: (output: OutputDeps) => OutputDeps,
): Promise<Answer> {
  const limits = { limit: MAX_RANKED, ...(AUTHOR_LIMITED_PATHS.has(question.path) && { max_per_author: MAX_RANKED }) };
  return askItems(preview, caller, { ...question, request: { ...question.request, ...limits } }, change);
}

function isAuthorFull({ items }: Answer, { maxPerAuthor }: OutputRequest<NamedPath>, author: string | null): boolean {
  if (maxPerAuthor === null || author === null) return false;
  return items.filter(({ fields }) => fields?.['author'] === author).length >= maxPerAuthor;
}
