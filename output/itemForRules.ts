/** Returns a catalogue item in the form that the rules of domain/output/mayShow.ts judge. */
import type { CatalogueItem } from '../db/output/catalogueChanges.ts';
import type { ItemForRules } from '../domain/output/mayShow.ts';
import { itemInterestKeys } from './interests.ts';

export function itemForRules({ topics, tags, ...item }: CatalogueItem): ItemForRules {
  return { ...item, interests: itemInterestKeys([...topics, ...tags]) };
}
