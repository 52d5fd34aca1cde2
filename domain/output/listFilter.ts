/** The filters of a list; null means any. */
export interface ListFilter {
  types: readonly string[] | null;
  authors: readonly string[] | null;
  /** Inclusive. */
  publishedAfter: Date | null;
  /** Exclusive. */
  publishedBefore: Date | null;
}
