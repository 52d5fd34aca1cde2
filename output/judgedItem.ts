/** Returns a catalogue item in the form that the rules of domain/output/mayShow.ts judge. */
import type { CatalogueItem } from '../db/output/catalogueChanges.ts';
import type { JudgedItem } from '../domain/output/mayShow.ts';
import { interestKeys } from './interests.ts';

export function judgedItem({ topics, tags, ...item }: CatalogueItem): JudgedItem {
  return { ...item, interests: interestKeys([...topics, ...tags]) };
}
