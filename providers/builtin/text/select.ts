/** Choosing the sentences of an extractive summary. */
import { isStopWord } from './stopWords.ts';
import { splitSentences } from './sentences.ts';
import { stem } from './stem.ts';
import { rankSentences, type StemSet } from './textrank.ts';
import { splitWords } from './words.ts';

export interface Choice {
  /** Chosen sentences in the order of the text; empty when there was no text. */
  text: string;
  /** The sentence ranked first; empty when there was no text. */
  best: string;
}

interface Candidate {
  text: string;
  stems: StemSet;
}

/** A sentence sharing more than this part of its words with a chosen one says nothing new. */
const MOST_OVERLAP = 0.6;
const MOST_CHOSEN = 5;

/**
 * Up to five sentences that fit `budget` characters. Text within the budget is its own summary.
 * @param texts zones in order; sentences do not run across them.
 */
export function chooseSentences(texts: readonly string[], budget: number): Choice {
  const candidates = texts.flatMap(splitSentences).map(({ text }) => ({ text, stems: contentStems(text) }));
  const scores = rankSentences(candidates.map((candidate) => candidate.stems));
  const order = candidates.map((_, index) => index).filter((index) => scores[index] !== null);
  order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const best = candidates[order[0] ?? -1]?.text ?? '';
  const length = candidates.reduce((sum, candidate) => sum + candidate.text.length + 1, 0);
  const chosen = length <= budget ? candidates.map((_, index) => index) : pick(candidates, order, budget);
  const text = chosen.map((index) => finish(candidates[index]?.text ?? '', chosen.length)).join(' ');
  return { text: text || clip(best, budget), best };
}

/** Best first while they fit and differ; then back into the order of the text. */
function pick(candidates: readonly Candidate[], order: readonly number[], budget: number): number[] {
  const chosen: number[] = [];
  let left = budget;
  for (const index of order) {
    const candidate = candidates[index];
    if (candidate === undefined || candidate.text.length + 1 > left || candidate.stems.size < 2) continue;
    if (chosen.some((other) => overlap(candidate.stems, candidates[other]?.stems ?? new Set()) > MOST_OVERLAP))
      continue;
    chosen.push(index);
    left -= candidate.text.length + 1;
    if (chosen.length === MOST_CHOSEN) break;
  }
  return chosen.sort((a, b) => a - b);
}

function overlap(a: StemSet, b: StemSet): number {
  let shared = 0;
  for (const each of a) if (b.has(each)) shared += 1;
  return shared / Math.max(1, Math.min(a.size, b.size));
}

function contentStems(sentence: string): StemSet {
  const stems = new Set<string>();
  for (const { folded } of splitWords(sentence)) if (folded.length > 1 && !isStopWord(folded)) stems.add(stem(folded));
  return stems;
}

/** Headings and captions come without a full stop; joined to others they need one. */
function finish(sentence: string, chosen: number): string {
  return chosen > 1 && /[\p{L}\p{N})»”"]$/u.test(sentence) ? `${sentence}.` : sentence;
}

/** At most `length` characters, cut at a space, with an ellipsis. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(' ', length - 1);
  const cut = text.slice(0, space > length / 2 ? space : length - 1);
  return `${cut.replace(/[\s,;:–—-]+$|[\ud800-\udbff]$/gu, '')}…`;
}
