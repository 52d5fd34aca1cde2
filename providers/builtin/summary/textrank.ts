/**
 * TextRank for sentences (Mihalcea & Tarau 2004, "TextRank: Bringing Order into Texts", section 4): sentences are
 * linked by their shared words, divided by the logarithms of their lengths, and ranked by PageRank.
 */
import { pageRank } from './pagerank.ts';

/** One sentence as the set of its content stems. */
export type StemSet = ReadonlySet<string>;

/**
 * Maximum number of sentences in the graph, whose cost is quadratic. A longer text is divided into this number of equal
 * stretches, and the sentence with the highest mean frequency of its stems is taken from each (the first step of
 * SumBasic, Nenkova & Vanderwende 2005), so that every part of the text is represented.
 */
export const MAX_SENTENCES = 300;

/**
 * Returns the similarity of two sentences by the paper's formula; 0 if each has a single stem, whose logarithm is 0.
 */
function similarity(shared: number, a: number, b: number): number {
  const length = Math.log(a) + Math.log(b);
  return length > 0 ? shared / length : 0;
}

/** @returns a score for each sentence, null for those left out of the graph by `MAX_SENTENCES` */
export function rankSentences(sentences: readonly StemSet[]): (number | null)[] {
  const chosen = chooseCandidates(sentences);
  const scores = pageRank(linkByWords(chosen.map((index) => sentences[index] ?? new Set())));
  const result: (number | null)[] = sentences.map(() => null);
  chosen.forEach((index, node) => {
    result[index] = scores[node] ?? 0;
  });
  return result;
}

/** Returns the indexes, ascending, of the sentences in the graph. */
function chooseCandidates(sentences: readonly StemSet[]): number[] {
  if (sentences.length <= MAX_SENTENCES) return sentences.map((_, index) => index);
  const frequency = new Map<string, number>();
  for (const stems of sentences) for (const each of stems) frequency.set(each, (frequency.get(each) ?? 0) + 1);
  return Array.from({ length: MAX_SENTENCES }, (_, stretch) => {
    const from = Math.floor((stretch * sentences.length) / MAX_SENTENCES);
    const to = Math.floor(((stretch + 1) * sentences.length) / MAX_SENTENCES);
    return bestOf(sentences, from, to, frequency);
  });
}

function bestOf(
  sentences: readonly StemSet[],
  from: number,
  to: number,
  frequency: ReadonlyMap<string, number>,
): number {
  let best = from;
  let bestMean = -1;
  for (let index = from; index < to; index += 1) {
    const stems = sentences[index] ?? new Set();
    let sum = 0;
    for (const each of stems) sum += frequency.get(each) ?? 0;
    const mean = stems.size < 4 ? 0 : sum / stems.size;
    if (mean > bestMean) [best, bestMean] = [index, mean];
  }
  return best;
}

/** Builds the sentence graph over an inverted index, so that only pairs with a shared word are visited. */
function linkByWords(sentences: readonly StemSet[]): { to: number[]; weight: number[] }[] {
  const graph = sentences.map(() => ({ to: [] as number[], weight: [] as number[] }));
  const index = new Map<string, number[]>();
  sentences.forEach((stems, node) => {
    const shared = new Map<number, number>();
    for (const each of stems) {
      const earlier = index.get(each);
      if (earlier === undefined) index.set(each, [node]);
      else {
        for (const other of earlier) shared.set(other, (shared.get(other) ?? 0) + 1);
        earlier.push(node);
      }
    }
    for (const [other, count] of shared) {
      const weight = similarity(count, stems.size, sentences[other]?.size ?? 0);
      if (weight === 0) continue;
      graph[node]?.to.push(other);
      graph[node]?.weight.push(weight);
      graph[other]?.to.push(node);
      graph[other]?.weight.push(weight);
    }
  });
  return graph;
}
