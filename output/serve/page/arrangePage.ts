/** Puts the finalists of a page at their positions (domain/output/page/pinsAndAuthors.ts). */
import { arrange, type Arranged } from '../../../domain/output/page/pinsAndAuthors.ts';
import { FIRST_TRIED_POSITION } from '../../../domain/output/page/exploration.ts';
import { isOnTrial, type Finalist } from '../candidates/allowedCandidates.ts';
import type { NamedPath } from '../request/pathsAndDefaults.ts';
import type { OutputRequest } from '../request/outputRequest.ts';

/** An item at its position. */
export interface Shown extends Omit<Finalist, 'id'> {
  position: number;
}

export interface PageArranging {
  finalists: readonly Finalist[];
  /**
   * The request's pinned items that the rules allow, with their positions; without those that earlier pages have shown.
   */
  pinned: readonly PinnedFinalist[];
  /** There are no other candidates. */
  isAll: boolean;
}

export interface PinnedFinalist {
  finalist: Finalist;
  position: number;
}

export interface ArrangedPage {
  shown: Shown[];
  /** Finalists that are left for later pages. */
  left: number;
}

export function arrangePage(
  { limit, position, maxPerAuthor }: OutputRequest<NamedPath>,
  { finalists, pinned, isAll }: PageArranging,
): ArrangedPage {
  const { placed, left } = arrange({
    ranked: finalists.map(placeableOf),
    pinned: pinned.map(({ finalist, position }) => ({ entry: placeableOf(finalist), position })),
    first: position?.firstPosition ?? 0,
    limit,
    perAuthor: maxPerAuthor,
    isAll,
  });
  return { shown: placed.map(shownOf), left };
}

interface PlaceableFinalist {
  finalist: Finalist;
  author: string | null;
  earliest: number;
}

/** New items on trial do not get the first positions, whatever was rejected before them. */
function placeableOf(finalist: Finalist): PlaceableFinalist {
  const earliest = isOnTrial(finalist) ? FIRST_TRIED_POSITION : 0;
  return { finalist, author: finalist.item.author, earliest };
}

function shownOf({ entry, position, isPinned }: Arranged<PlaceableFinalist>['placed'][number]): Shown {
  const { id: _id, ...finalist } = entry.finalist;
  return { ...finalist, position, ...(isPinned && { reason: { code: 'pinned' } }) };
}
