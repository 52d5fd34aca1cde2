/** The filter and the view of a list of items, as stored in the address. */
import type { cabinet } from './client.ts';
import { stoppedAtOf, type StoppedAt } from './stoppedAt.ts';

export type ItemStatus = cabinet.CabinetItem['status'];
export const ITEM_STATUSES = [
  'queued',
  'processing',
  'ready',
  'partial',
  'failed',
  'deferred',
] as const satisfies ItemStatus[];
export const ITEM_TYPES = ['text', 'video', 'audio', 'image', 'mixed'] as const satisfies cabinet.CabinetItem['type'][];
export const LEVELS = ['none', 'low', 'medium', 'high', 'unknown'] as const;
export const ORIGINS = ['api', 'import', 'order'] as const satisfies cabinet.CabinetItem['origin'][];
/** Whether an item is shown to people. */
export const VISIBILITIES = ['shown', 'hidden', 'deleted'] as const;

export interface ItemFilter extends StoppedAt {
  status?: ItemStatus | undefined;
  type?: (typeof ITEM_TYPES)[number] | undefined;
  moderation?: (typeof LEVELS)[number] | undefined;
  origin?: (typeof ORIGINS)[number] | undefined;
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
    status: ITEM_STATUSES.find((one) => one === status),
    type: ITEM_TYPES.find((one) => one === type),
    moderation: LEVELS.find((one) => one === moderation),
    origin: ORIGINS.find((one) => one === origin),
    visible: VISIBILITIES.find((one) => one === visible),
    // An id that is a number is parsed as one in the address.
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

/** Returns whether the filter leaves anything out. */
export function isFiltered(filter: ItemFilter): boolean {
  return Object.keys(itemQueryOf(filter)).length > 0;
}
