/**
 * Measures what searches among 100,000 documents cost the selection process, in processor time, because the machine is
 * shared.
 */
import type { BoundFilter } from '../../../domain/output/propertyFilters.ts';
import type { FacetName } from '../../../domain/search/facetAndSortNames.ts';
import { answerSearch, type SearchContext } from '../../../output/search/match/answerSearch.ts';
import { answerSuggest } from '../../../output/search/match/answerSuggest.ts';
import type { SearchQuestion } from '../../../output/messages/searchMessages.ts';
import { percentile, type Figure } from '../support/report.ts';
import { seededRandom, drawWord, itemOf, itemVectorOf, queryVector } from './library.ts';
import { catalogueOf, indexOf, QUESTION, searchContextOf } from './stage.ts';

const TIMES = 100;
/** Searches that are not counted: V8 compiles meanwhile, and collects what building the index left. */
const WARM_UP = 50;
/** Above the similarity that the vectors of two subjects have by chance. */
const THRESHOLD = 0.2;
const AIM = '<= 30';
/** The most frequent words are function words in every language: nobody searches for them alone. */
const MIN_QUERY_WORD_LENGTH = 5;

const CHEAP: BoundFilter = { property: 'price', op: 'lt', type: 'number', operands: [500], isWanted: true };
const FACETS: FacetName[] = [
  { kind: 'types' },
  { kind: 'tags' },
  { kind: 'authors' },
  { kind: 'property', property: 'level', type: 'string' },
  { kind: 'property', property: 'price', type: 'number' },
];

export function measureCost(documents: number): Figure[] {
  const items = Array.from({ length: documents }, (_, number) => {
    const { vector, ...item } = itemOf(number);
    return { ...item, placed: itemVectorOf(vector) };
  });
  const catalogue = catalogueOf(items, ['price', 'level', 'parts']);
  const started = processorMs();
  const index = indexOf(items);
  const loadS = (processorMs() - started) / 1_000;
  const figure = (name: string, value: number, unit: string, aim: string | null): Figure => ({
    name,
    value,
    unit,
    aim,
  });
  return [
    figure(`indexing ${documents} documents of 230 words`, loadS, 's', '<= 60'),
    figure('memory of the index, by its own estimate', index.bytes / 2 ** 20, 'MiB', null),
    ...questions(searchContextOf(catalogue, index)),
  ];
}

function questions(searched: SearchContext): Figure[] {
  const chance = seededRandom(7);
  const words = (count: number): string => Array.from({ length: count }, () => usualWord(chance)).join(' ');
  const search = (asked: Partial<SearchQuestion>, subject: number | null = null): void => {
    const meaning = subject === null ? null : { placed: itemVectorOf(queryVector(subject)), threshold: THRESHOLD };
    answerSearch({ ...searched, meaning }, { ...QUESTION, ...asked });
  };
  const filtered = { rules: { ...QUESTION.rules, filters: [CHEAP] }, facets: FACETS };
  const suggest = (query: string): void => void answerSuggest(searched, { ...QUESTION, query, prefix: true, limit: 8 });
  return [
    ...measure('a word', () => search({ query: words(1) })),
    ...measure('two words', () => search({ query: words(2) })),
    ...measure('two words, a filter, five facets', () => search({ query: words(2), ...filtered })),
    ...measure('a phrase', () => search({ query: `"${words(2)}"` })),
    ...measure('a word with a typing error', () => search({ query: words(1).replace(/^(...)/, '$1ъ') })),
    ...measure('no words, a filter, five facets', () => search(filtered)),
    ...measure('two words and meaning', (n) => search({ query: words(2), semantic: 'auto' }, n)),
    ...measure('two words and meaning, a filter, five facets', (n) =>
      search({ query: words(2), semantic: 'auto', ...filtered }, n),
    ),
    ...measure('suggestions to three letters', () => suggest(words(1).slice(0, 3))),
    ...measure('suggestions to a word and two letters', () => suggest(`${words(1)} ${words(1).slice(0, 2)}`)),
  ];
}

function usualWord(chance: () => number): string {
  for (;;) {
    const word = drawWord(chance);
    if (word.length >= MIN_QUERY_WORD_LENGTH) return word;
  }
}

function measure(name: string, ask: (n: number) => void): Figure[] {
  for (let n = 0; n < WARM_UP; n++) ask(n);
  const times = Array.from({ length: TIMES }, (_, n) => {
    const started = processorMs();
    ask(n);
    return processorMs() - started;
  });
  return [
    { name: `${name}, p50`, value: percentile(times, 50), unit: 'ms', aim: null },
    { name: `${name}, p95`, value: percentile(times, 95), unit: 'ms', aim: AIM },
  ];
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
