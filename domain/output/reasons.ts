/** Why an item is shown. */
export const REASON_CODES = [
  'because_item',
  'similar',
  'together',
  'interest',
  'author',
  'popular',
  'trending',
  'region',
  'new',
  'pinned',
  'match',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

export interface Reason {
  code: ReasonCode;
  /** The subject that caused it. */
  item?: string;
  /** The author, interest or place that caused it. */
  value?: string;
}
