/** The filter and the view of a list of items, as stored in the address. */
import type { cabinet } from '../client.ts';
import { exhaustiveList } from '../exhaustiveList.ts';
import { oneOf } from '../searchValues.ts';
import { stoppedAtOf, type StoppedAt } from './stoppedAt.ts';

export type ItemStatus = cabinet.CabinetItem['status'];
export type ItemType = cabinet.CabinetItem['type'];
type Origin = cabinet.CabinetItem['origin'];
type Level = NonNullable<NonNullable<cabinet.ListProjectItemsData['query']>['moderation']>;
export const ITEM_STATUSES = exhaustiveList<ItemStatus>({
  queued: true,
  processing: true,
  ready: true,
  partial: true,
  failed: true,
  deferred: true,
});
export const ITEM_TYPES = exhaustiveList<ItemType>({ text: true, video: true, audio: true, image: true, mixed: true });
export const LEVELS = exhaustiveList<Level>({ none: true, low: true, medium: true, high: true, unknown: true });
export const ORIGINS = exhaustiveList<Origin>({ api: true, import: true, order: true });
/** Whether an item is shown to people. */
export const VISIBILITIES = ['shown', 'hidden', 'deleted'] as const;

export interface ItemFilter extends StoppedAt {
  status?: ItemStatus | undefined;
  type?: ItemType | undefined;
  moderation?: Level | undefined;
  origin?: Origin | undefined;
  visible?: (typeof VISIBILITIES)[number] | undefined;
  q?: string | undefined;
}

export interface ItemListSearch extends ItemFilter {
  /** Absent for a table. */
  view?: 'grid' | undefined;
}

/** Reads the filter from the query of an address; malformed values are left out. */
export function itemListSearchOf(search: Record<string, unknown>): ItemListSearch {
  const { status, type, moderation, origin, visible, q, view } = search;
  return {
    ...stoppedAtOf(search),
    status: oneOf(ITEM_STATUSES, status),
    type: oneOf(ITEM_TYPES, type),
    moderation: oneOf(LEVELS, moderation),
    origin: oneOf(ORIGINS, origin),
    visible: oneOf(VISIBILITIES, visible),
    // The router parses an id of digits in the address as a number.
    q: (typeof q === 'string' && q !== '') || typeof q === 'number' ? String(q) : undefined,
    view: view === 'grid' ? view : undefined,
  };
}

/** Converts the filter to the API's form. */
export function itemQueryOf({ status, type, moderation, origin, visible, q, step, code }: ItemFilter) {
  return {
    ...(status && { status }),
    ...(type && { type }),
    ...(moderation && { moderation }),
    ...(origin && { origin }),
    ...(visible === 'deleted' && { deleted: true }),
    ...(visible !== undefined && visible !== 'deleted' && { available: visible === 'shown' }),
    ...(q && { q }),
    ...(step && { step }),
    ...(code && { error_code: code }),
  };
}

/** Returns whether the filter restricts the list at all. */
export function isFiltered(filter: ItemFilter): boolean {
  return Object.keys(itemQueryOf(filter)).length > 0;
}
