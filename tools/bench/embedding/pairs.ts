/** Documents and queries with the same meaning in different words: `tools/bench/output/pairs.json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Language = 'ru' | 'en';

export interface Document {
  id: string;
  language: Language;
  title: string;
  text: string;
}

export interface Paraphrase {
  query: string;
  language: Language;
  /** Id of the one document that answers the query. */
  document: string;
}

export interface Pairs {
  documents: Document[];
  paraphrases: Paraphrase[];
}

export function readPairs(): Pairs {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../output/pairs.json'), 'utf8')) as Pairs;
}
