/** Names by the scores of the network: the most likely sequence of tags (Viterbi 1967), and the spans in it. */
import type { NameSpan, NameType } from '../common/types.ts';
import type { TagScores } from './slovnet.ts';

const TYPES: Readonly<Record<string, NameType>> = { PER: 'person', LOC: 'place', ORG: 'organization' };

/**
 * Returns the tag of each row.
 * @param transitions how likely one tag follows another, row by row
 */
export function viterbiTags({ tags, data, stride }: TagScores, transitions: Float32Array, count: number): string[] {
  const size = tags.length;
  let scores = Array.from({ length: size }, (_, tag) => data[tag] ?? 0);
  const origins: number[][] = [];
  for (let row = 1; row < count; row += 1) {
    const origin: number[] = [];
    const next: number[] = [];
    for (let tag = 0; tag < size; tag += 1) {
      let best = 0;
      let bestScore = -Infinity;
      for (let from = 0; from < size; from += 1) {
        const total = (scores[from] ?? 0) + (transitions[from * size + tag] ?? 0);
        if (total > bestScore) [best, bestScore] = [from, total];
      }
      origin.push(best);
      next.push(bestScore + (data[row * stride + tag] ?? 0));
    }
    scores = next;
    origins.push(origin);
  }
  let tag = scores.indexOf(Math.max(...scores));
  const path = [tag];
  for (const origin of origins.toReversed()) {
    tag = origin[tag] ?? 0;
    path.push(tag);
  }
  return path.toReversed().map((each) => tags[each] ?? 'O');
}

/** Returns the spans of tags such as B-PER, I-PER, O. */
export function spansOf(tags: readonly string[]): NameSpan[] {
  const spans: NameSpan[] = [];
  let open: NameSpan | null = null;
  tags.forEach((tag, place) => {
    const type = TYPES[tag.slice(2)];
    const goesOn: boolean = tag.startsWith('I-') && open !== null && open.type === type;
    if (open !== null && goesOn) open.to = place + 1;
    else if (type === undefined) open = null;
    else {
      open = { type, from: place, to: place + 1 };
      spans.push(open);
    }
  });
  return spans;
}
