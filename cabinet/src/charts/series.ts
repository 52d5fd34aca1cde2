/** A line of a chart. */

export interface Series {
  name: string;
  /** One value for each label; null if it is missing. */
  values: readonly (number | null)[];
  /** Marks the line that another is compared with: drawn behind, and dashed. */
  isComparison?: boolean;
  /** Marks errors and the like: dotted, and in the colour of errors. */
  isError?: boolean;
  /** Labels of its values, if they differ from those of the chart. */
  labels?: readonly string[];
}

/** Returns the style of a line. */
export function kindOf({
  isComparison = false,
  isError = false,
}: Pick<Series, 'isComparison' | 'isError'>): string | undefined {
  if (isComparison) return 'before';
  return isError ? 'bad' : undefined;
}
