/**
 * The columns of the table `items`: the one list from which its inserts, updates and selects are made. The texts of the
 * statements are put together once, when their modules load.
 */
import type { ItemState } from '../../domain/items/decideOperation.ts';
import type { StepRecords } from '../../domain/analysis/steps.ts';

/** A field of an item that has a column of its own. A field without an entry below is a type error. */
export type StoredField = Exclude<keyof ItemState, 'media' | 'createdAt' | 'redo' | 'isRewritten'>;

/** The fields whose type in {@link StoredColumns} differs from that in the item. */
type Converted = 'body' | 'publishedAt' | 'revision' | 'steps';

/** The column types whose values the driver returns as the field has them; `bigint` and `numeric` come as text. */
type TypeOf<Value> = [Value] extends [string | null]
  ? 'text'
  : [Value] extends [boolean | null]
    ? 'boolean'
    : [Value] extends [number | null]
      ? 'integer' | 'real' | 'double precision'
      : [Value] extends [Date | null]
        ? 'timestamptz'
        : 'jsonb';

interface Column<Type> {
  name: string;
  type: Type;
  /** SQL of the inserted value; `w` is the row that was sent. The default is its value. */
  inserted?: string;
  /**
   * SQL of the updated value; `i` is the stored row. The default is the sent value; null means that it never changes.
   */
  updated?: string | null;
}

type Columns = {
  [Field in StoredField]: Column<
    Field extends Converted ? 'text' | 'timestamptz' | 'bigint' | 'jsonb' : TypeOf<ItemState[Field]>
  >;
};

const COLUMNS: Columns = {
  id: { name: 'id', type: 'text', updated: null },
  type: { name: 'type', type: 'text' },
  title: { name: 'title', type: 'text' },
  description: { name: 'description', type: 'text' },
  // A body that did not change is neither sent nor written again.
  body: { name: 'body', type: 'text', updated: 'case when w.keeps_body then i.body else w.body end' },
  author: { name: 'author', type: 'text' },
  url: { name: 'url', type: 'text' },
  publishedAt: {
    name: 'published_at',
    type: 'timestamptz',
    inserted: "coalesce(w.published_at, date_trunc('milliseconds', now()))",
  },
  properties: { name: 'properties', type: 'jsonb' },
  origin: { name: 'origin', type: 'text' },
  available: { name: 'available', type: 'boolean' },
  deleted: { name: 'deleted', type: 'boolean' },
  revision: { name: 'revision', type: 'bigint' },
  status: { name: 'status', type: 'text' },
  steps: { name: 'steps', type: 'jsonb' },
  requestId: { name: 'request_id', type: 'text', updated: 'coalesce(w.request_id, i.request_id)' },
};

/** The fields as the driver returns them. */
export interface StoredColumns extends Omit<Pick<ItemState, StoredField>, Converted> {
  body: string | null;
  publishedAt: Date;
  /** A bigint, as text. */
  revision: string;
  /** Steps that are newer than the row are missing. */
  steps: Partial<StepRecords>;
}

const FIELDS = Object.keys(COLUMNS) as StoredField[];
const ALL = FIELDS.map((field) => COLUMNS[field]);

/** Columns and types of the rows that writes send, for `json_to_recordset`. */
export const SENT_COLUMNS = `${ALL.map(({ name, type }) => `${name} ${type}`).join(', ')}, keeps_body boolean`;
export const INSERTED_COLUMNS = ALL.map(({ name }) => name).join(', ');
export const INSERTED_VALUES = ALL.map(({ name, inserted = `w.${name}` }) => inserted).join(', ');
export const ASSIGNMENTS = ALL.flatMap(({ name, updated = `w.${name}` }) =>
  updated === null ? [] : [`${name} = ${updated}`],
).join(', ');

/** Returns the select list of the item `i`: every column except those left out, each under the name of its field. */
export function selectAllBut(...excluded: StoredField[]): string {
  return FIELDS.filter((field) => !excluded.includes(field))
    .map((field) => (COLUMNS[field].name === field ? `i.${field}` : `i.${COLUMNS[field].name} as "${field}"`))
    .join(', ');
}

/** Returns the values of an item by the names of their columns. Absent ones are stored as null. */
export function columnValues(item: Partial<Pick<ItemState, StoredField>>): Record<string, unknown> {
  return Object.fromEntries(FIELDS.map((field) => [COLUMNS[field].name, item[field]]));
}
