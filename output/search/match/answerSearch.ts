/** Answers a question: reads the query, then finds, counts and orders hits. */
import { stem } from '../../../domain/dictionaries/stems.ts';
import { boostOf, type Boost } from '../../../domain/output/boosts.ts';
import type { Catalogue } from '../../selection/catalogue/catalogue.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import type {
  FoundItem,
  Marks,
  SearchQuestion,
  SearchReply,
  SentMeaning,
  WordForms,
} from '../../messages/searchMessages.ts';
import { MAX_WORD_LENGTH } from '../text/indexedWords.ts';
import type { SynonymMap } from '../text/synonymMap.ts';
import { allowedSlots } from './allowed.ts';
import { countFacet } from './facets.ts';
import { findHits, type QueryMeaning, type Scored } from './findHits.ts';
import { orderedIndexes, type PopularityOf } from './sortHits.ts';
import { interpretQuery, type InterpretedQuery } from './words/interpretQuery.ts';
import { REORDERED, reorderByTaste } from './reorderByTaste.ts';
import { SCORE_DIGITS } from '../../scoreDigits.ts';

export interface SearchContext {
  catalogue: Catalogue;
  index: SearchIndex;
  synonyms: SynonymMap;
  /** Null means search by words alone. */
  meaning: QueryMeaning | null;
  /** The query's vector in the space of pictures; null means that pictures are found only by words about them. */
  pictureQuery?: QueryMeaning | null;
  /** {@link SearchReply.isSightLate} */
  isSightLate?: boolean;
  popularity: PopularityOf | null;
}

export function answerSearch(
  { catalogue, index, synonyms, meaning, pictureQuery = null, isSightLate = false, popularity }: SearchContext,
  question: SearchQuestion,
): SearchReply {
  const { query, typos, prefix, semantic, sort, limit } = question;
  const interpreted = interpretQuery(query, { index, synonyms, typos, prefix });
  const isAllowed = allowedSlots(catalogue, question);
  const isByMeaning = meaning !== null && semantic !== 0 && interpreted.clauses.length > 0;
  const hitQuery = { read: interpreted, meaning: isByMeaning ? meaning : null, pictureQuery, semantic, isAllowed };
  const matched = findHits(catalogue, index, hitQuery);
  const hits = withPinned(catalogue, boosted(catalogue, matched, question.boosts), question.pinned, isAllowed);
  const passedOver = new Set(question.passedOver);
  const maxHits = Math.max(REORDERED, passedOver.size + limit);
  const best = orderedIndexes(catalogue, hits, { sort, popularity }, maxHits);
  const ordered = withTaste(catalogue, hits, { best, question, isBrowsing: interpreted.clauses.length === 0 });
  const found: FoundItem[] = [];
  for (const { slot, score, taste } of ordered) {
    const item = catalogue.itemAt(slot);
    if (found.length >= limit) break;
    if (item === undefined || passedOver.has(item.id)) continue;
    const picture = matched.pictures?.get(slot);
    const factor = boostOf(question.boosts, item.properties);
    found.push({
      id: item.id,
      score: Number(score.toFixed(SCORE_DIGITS)),
      ...(factor !== 1 && { factor }),
      ...(picture !== undefined && { picture }),
      ...(question.explain && { parts: rounded({ ...matched.partsOf(slot), ...(taste !== undefined && { taste }) }) }),
    });
  }
  const isPassedOver = (slot: number): boolean => passedOver.has(catalogue.itemAt(slot)?.id ?? '');
  const passedCount =
    passedOver.size === 0 ? 0 : hits.slots.reduce((sum, slot) => sum + (isPassedOver(slot) ? 1 : 0), 0);
  const marks = marksOf(interpreted, index);
  return {
    found,
    mode: isByMeaning ? 'hybrid' : 'lexical',
    model: isByMeaning ? meaning.placed.model : null,
    ...(isByMeaning && { meaning: encoded(meaning), ...(isSightLate && { isSightLate }) }),
    total: hits.slots.length,
    facets: question.facets.map((facet) => countFacet(catalogue, index, { facet, hits: hits.slots })),
    corrected: interpreted.corrected,
    marks,
    forms: formsOf(marks, index),
    isAll: passedCount + found.length >= hits.slots.length,
  };
}

function encoded({ placed: { vector }, threshold }: QueryMeaning): SentMeaning {
  return { vector: Buffer.from(vector.buffer, vector.byteOffset, vector.length).toString('base64'), threshold };
}

function rounded(parts: NonNullable<FoundItem['parts']>): NonNullable<FoundItem['parts']> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, Number(part.toFixed(SCORE_DIGITS))]));
}

function boosted(catalogue: Catalogue, { slots, scores }: Scored, boosts: readonly Boost[]): Scored {
  if (boosts.length === 0) return { slots, scores };
  const factorOf = (slot: number): number => boostOf(boosts, catalogue.itemAt(slot)?.properties ?? null);
  return { slots, scores: scores.map((score, index) => score * factorOf(slots[index] as number)) };
}

/** Adds pinned items to the hits; they count whatever the query is. */
function withPinned(
  catalogue: Catalogue,
  { slots, scores }: Scored,
  pinned: readonly string[],
  isAllowed: (slot: number) => boolean,
): Scored {
  const known = pinned.length === 0 ? new Set<number>() : new Set(slots);
  const pinnedSlots = new Set(pinned.flatMap((id) => catalogue.slotOf(id) ?? []));
  const added = [...pinnedSlots].filter((slot) => !known.has(slot) && isAllowed(slot));
  if (added.length === 0) return { slots, scores };
  return {
    slots: Uint32Array.from([...slots, ...added]),
    scores: Float64Array.from([...scores, ...added.map(() => 0)]),
  };
}

interface TasteContext {
  best: Uint32Array;
  question: SearchQuestion;
  /** The query has no words, so all hits are equally relevant. */
  isBrowsing: boolean;
}

function withTaste(
  catalogue: Catalogue,
  { slots, scores }: Scored,
  { best, question: { taste, sort }, isBrowsing }: TasteContext,
): { slot: number; score: number; taste?: number }[] {
  const ordered = Array.from(best, (index) => ({ slot: slots[index] as number, score: scores[index] as number }));
  const isByRelevance = sort.by.kind === 'relevance' && sort.dir === 'desc';
  if (taste === null || !isByRelevance) return ordered;
  const first = reorderByTaste(catalogue, ordered.slice(0, REORDERED), { taste, isBrowsing });
  return [...first, ...ordered.slice(REORDERED)];
}

/** Maximum number of terms whose words are marked; the words of a prefix need not be listed. */
const MAX_MARKED = 60;

export function marksOf({ clauses, unfinished }: InterpretedQuery, index: SearchIndex): Marks {
  // A word may have hundreds of synonyms: the words themselves come first.
  const own = clauses.flatMap(({ options }) => options.slice(0, 1));
  const terms = [...own, ...clauses.flatMap(({ options }) => options.slice(1))].flatMap(({ sets }) => sets.flat());
  const stems = new Set(terms.slice(0, MAX_MARKED).map((term) => stem(index.vocabulary.surfaceForm(term))));
  return { stems: [...stems], prefixes: unfinished === null ? [] : [unfinished] };
}

/** Maximum number of stems whose forms are sent, and of forms of a stem. */
const MAX_STEMS = 20;
const MAX_FORMS = 40;

function formsOf({ stems }: Marks, { vocabulary }: SearchIndex): WordForms {
  const known = stems.slice(0, MAX_STEMS).map((one): [string, string[]] => [one, vocabulary.formsOf(one)]);
  // A cut word is only the beginning of one in the texts.
  const areWhole = (forms: readonly string[]): boolean => forms.every(({ length }) => length < MAX_WORD_LENGTH);
  return Object.fromEntries(known.filter(([, all]) => all.length > 0 && all.length <= MAX_FORMS && areWhole(all)));
}
