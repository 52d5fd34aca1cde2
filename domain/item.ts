/** What a write says about an item, and the rules that hold for it whatever the transport. */
import type { ItemStatus, ItemType, MediaKind, StepRecords } from './steps.ts';

export interface MediumWrite {
  kind: MediaKind;
  url: string;
  version: string | null;
}

/** The whole object as PUT sends it, defaults applied. */
export interface ItemContent {
  type: ItemType;
  title: string | null;
  description: string | null;
  body: string | null;
  author: string | null;
  url: string | null;
  /** Null means: the time of creation. */
  publishedAt: Date | null;
  properties: Record<string, unknown> | null;
  media: MediumWrite[];
  available: boolean;
}

/** The fields that PATCH sent; absent ones stay as they are. */
export type ItemPatch = Partial<Omit<ItemContent, 'type'>>;

export type ItemOrigin = 'api' | 'import' | 'order';

/** The part of an item that every write answers with. */
export interface ItemHead {
  id: string;
  status: ItemStatus;
  available: boolean;
  deleted: boolean;
  steps: StepRecords;
}

/** One fault of one field, as the API's details name it: `media`, `properties.level`. */
export interface ItemFault {
  field: string;
  code: 'required' | 'invalid_value' | 'invalid_type' | 'invalid_datetime';
}

/** A write that the item's own rules refuse; nothing of it is stored. */
export class InvalidItem extends Error {
  override readonly name = 'InvalidItem';
  readonly faults: readonly ItemFault[];

  constructor(faults: readonly ItemFault[]) {
    super('the item breaks a rule of its fields');
    this.faults = faults;
  }
}

/**
 * What is wrong with a media list for an item of that type: a medium of the item's own kind missing
 * (`required` when no media were sent), or media of a text; null when nothing is wrong.
 * @param sent false when the request had no media at all (absent or null)
 */
export function mediaFault(
  type: ItemType,
  media: readonly MediumWrite[],
  sent: boolean,
): 'required' | 'invalid_value' | null {
  if (type === 'text') return media.length > 0 ? 'invalid_value' : null;
  if (type === 'mixed') return null;
  if (media.some((medium) => medium.kind === type)) return null;
  return sent ? 'invalid_value' : 'required';
}
