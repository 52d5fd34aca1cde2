import type { ShownItem } from '../../../../data/output/output.ts';

/** Returns null if the title was not requested, or the item has none. */
export function titleOf({ fields }: ShownItem): string | null {
  const title = fields?.['title'];
  return typeof title === 'string' ? title : null;
}
