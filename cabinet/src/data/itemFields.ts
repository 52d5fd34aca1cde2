/** The fields of an item that integrators and editors set, apart from its id. */
import type { cabinet } from './client.ts';
import { exhaustiveList } from './exhaustiveList.ts';

/** A saved item keeps its type. */
export type ChangeableField = keyof cabinet.ItemPatchRequest;
export type ItemField = keyof cabinet.ItemPutRequest;

/** The fields that are plain texts. A form has an input of the same name for each. */
export const TEXT_FIELDS = [
  'title',
  'description',
  'body',
  'author',
  'url',
] as const satisfies readonly ChangeableField[];
export type TextField = (typeof TEXT_FIELDS)[number];

/** The fields whose values have another form. */
export type OtherField = Exclude<ChangeableField, TextField>;

const OTHER_FIELDS = exhaustiveList<OtherField>({
  published_at: true,
  properties: true,
  media: true,
  available: true,
});

export const CHANGEABLE_FIELDS: readonly ChangeableField[] = [...TEXT_FIELDS, ...OTHER_FIELDS];
export const ITEM_FIELDS: readonly ItemField[] = ['type', ...CHANGEABLE_FIELDS];
