/** The content of a write to an item, and the rules for it, whatever the transport. */
import type { ItemStatus, ItemType, MediaKind, StepRecords } from '../analysis/steps.ts';

export interface ItemRef {
  projectId: string;
  itemId: string;
}

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
  /** Null means the time of creation. */
  publishedAt: Date | null;
  properties: Record<string, unknown> | null;
  media: MediumWrite[];
  available: boolean;
}

/** The fields that PATCH sent; absent ones keep their values. */
export type ItemPatch = Partial<Omit<ItemContent, 'type'>>;

export const ITEM_ORIGINS = ['api', 'import', 'order'] as const;
export type ItemOrigin = (typeof ITEM_ORIGINS)[number];

/** The part of an item that every write returns. */
export interface ItemHead {
  id: string;
  status: ItemStatus;
  available: boolean;
  deleted: boolean;
  steps: StepRecords;
}

/** One fault of one field, named as in the API's details: `media`, `properties.level`. */
export interface ItemFault {
  field: string;
  code: 'required' | 'invalid_value' | 'invalid_type' | 'invalid_datetime';
}

/** A write that the item's own rules refuse; nothing of it is stored. */
export class InvalidItemError extends Error {
  override readonly name = 'InvalidItemError';
  readonly faults: readonly ItemFault[];

  constructor(faults: readonly ItemFault[]) {
    super('the item breaks a rule of its fields');
    this.faults = faults;
  }
}
