/**
 * Ranks the noun phrases that best describe a text: phrases that it repeats, that its title contains, that are rare
 * elsewhere (weighted as in tf–idf, Spärck Jones 1972), and that are not nested in a longer phrase that says more (as
 * C-value counts nested terms, Frantzi et al. 2000).
 */
import type { TextFindings } from '../reading/reading.ts';
import type { Phrase } from '../reading/common/types.ts';
import { maxTags } from './tags.ts';
import type { Zone } from '../text/weightedTextZones.ts';

/** One phrase with all its places. */
interface Candidate {
  text: string;
  lemmas: readonly string[];
  /** Sum of the weights of the zones that it occurs in. */
  weight: number;
  count: number;
  inTitle: boolean;
  isLoose: boolean;
  rarity: number;
  relevance: number | null;
  /** Relative position of its first occurrence in the text, from 0 to 1. */
  position: number;
}

/** Maximum number of candidates, which bounds the cost: among so many, a phrase that occurs once is not a subject. */
const MAX_CANDIDATES = 600;
/** Rarities between which the weight rises: a word in every 3,000 says nothing, one in every 500,000 everything. */
const [COMMON, RARE] = [3.5, 5.7];
const MIN_RARITY = 0.08;
/** Weight of a phrase by its number of words, compared with a single word. */
const LENGTH_WEIGHTS = [1, 1, 1.5, 1.7, 1.7];
/** Relative loss of weight of the last words of a text, compared with the first. */
const LATE_LOSS = 0.35;
const TITLE_WEIGHT = 1.6;
/** Phrases related to the text around them have a relevance of 0.35 on average, others 0.2. */
const [RELEVANCE_SHIFT, RELEVANCE_UNIT] = [0.2, 0.55];
const MIN_FITTING = 0.04;
/**
 * Minimum score as a share of the second best one. The best may be a phrase of the title that is far ahead of all
 * others.
 */
const MIN_SCORE = 0.2;

/** Returns phrases in order of score, at most as many as the text may have tags. */
export function rankPhrases(zones: readonly Zone[], reads: readonly TextFindings[]): string[] {
  const candidates = candidatesOf(zones, reads);
  const scored = candidates
    .map((candidate) => ({ ...candidate, score: scoreOf(candidate, ownWeight(candidate, candidates)) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1));
  const second = (scored[1] ?? scored[0])?.score ?? 0;
  const maxPhrases = maxTags(zones);
  const chosen: typeof scored = [];
  for (const candidate of scored) {
    if (chosen.length >= maxPhrases || candidate.score < MIN_SCORE * second) break;
    if (!chosen.some((other) => isSame(other, candidate))) chosen.push(candidate);
  }
  return chosen.map(({ text }) => text);
}

function candidatesOf(zones: readonly Zone[], reads: readonly TextFindings[]): Candidate[] {
  const found = new Map<string, Candidate>();
  const length = zones.reduce((sum, { text }) => sum + text.length, 0) || 1;
  let before = 0;
  zones.forEach((zone, index) => {
    for (const phrase of reads[index]?.phrases ?? []) addTo(found, phrase, zone, (before + phrase.start) / length);
    before += zone.text.length;
  });
  const all = [...found.values()].filter(({ isLoose, inTitle, count }) => !isLoose || inTitle || count > 1);
  return all.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_CANDIDATES);
}

function addTo(found: Map<string, Candidate>, phrase: Phrase, zone: Zone, position: number): void {
  const key = phrase.text.toLowerCase();
  const inTitle = zone.kind === 'title';
  const known = found.get(key);
  if (known === undefined) {
    const { text, lemmas, isLoose, rarity, relevance } = phrase;
    found.set(key, { text, lemmas, isLoose, rarity, relevance, weight: zone.weight, count: 1, inTitle, position });
    return;
  }
  known.weight += zone.weight;
  known.count += 1;
  known.inTitle ||= inTitle;
}

/** Returns the weight without occurrences inside longer phrases. */
function ownWeight(candidate: Candidate, all: readonly Candidate[]): number {
  let inLonger = 0;
  for (const other of all)
    if (other.lemmas.length > candidate.lemmas.length && isWithin(candidate.lemmas, other.lemmas))
      inLonger = Math.max(inLonger, other.weight);
  return candidate.weight - inLonger;
}

function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  for (let from = 0; from + part.length <= whole.length; from += 1)
    if (part.every((lemma, index) => whole[from + index] === lemma)) return true;
  return false;
}

function scoreOf({ lemmas, rarity, relevance, position, inTitle }: Candidate, weight: number): number {
  if (weight <= 0) return 0;
  const seldom = Math.max(MIN_RARITY, Math.min(1, (rarity - COMMON) / (RARE - COMMON)));
  const lengthWeight = LENGTH_WEIGHTS[lemmas.length] ?? LENGTH_WEIGHTS.at(-1) ?? 1;
  const fitting = relevance === null ? 1 : Math.max(MIN_FITTING, (relevance + RELEVANCE_SHIFT) / RELEVANCE_UNIT);
  return (
    Math.log2(1 + weight) * seldom * lengthWeight * fitting * (1 - LATE_LOSS * position) * (inTitle ? TITLE_WEIGHT : 1)
  );
}

/** Returns whether both have the same words, in any order. */
function isSame(chosen: Candidate, candidate: Candidate): boolean {
  return (
    chosen.lemmas.length === candidate.lemmas.length && chosen.lemmas.every((lemma) => candidate.lemmas.includes(lemma))
  );
}
