/** Determines the language of texts about an item, before its media have been processed. */
import type pg from 'pg';
import { readItemLanguage } from '../../db/analysis/language.ts';
import type { ItemRef } from '../../db/items/writeItems.ts';
import { detectLanguage } from '../../providers/builtin/text/language.ts';

export interface ItemLanguages {
  /** Language that the project requests, as ISO 639-1; null for the language of the content. */
  wanted: string | null;
  /** Language of the item's own texts, as ISO 639-1; null when it cannot be determined. */
  own: string | null;
}

export async function languagesOf(pool: pg.Pool, ref: ItemRef): Promise<ItemLanguages> {
  const item = await readItemLanguage(pool, ref);
  if (!item) return { wanted: null, own: null };
  const detected = detectLanguage(item.text);
  return { wanted: item.wanted, own: detected === 'other' ? null : detected };
}
