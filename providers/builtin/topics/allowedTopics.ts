/** Finds a project's allowed topics in a text by their words. */
import { isStopWord } from '../text/stopWords.ts';
import { stem } from '../text/stem.ts';
import { splitWords } from '../text/words.ts';
import type { Zone } from '../text/weightedTextZones.ts';

/**
 * Returns the topics all of whose words occur in the text, in any form and order. The best are first: by the weighted
 * count of a topic's rarest word over the zones, then in the project's order.
 */
export function topicsAmong(allowed: readonly string[], zones: readonly Zone[]): string[] {
  const weights = weightsOf(zones);
  const found = allowed.map((topic) => ({
    topic,
    weight: Math.min(...stemsOf(topic).map((key) => weights.get(key) ?? 0)),
  }));
  return found
    .filter(({ weight }) => Number.isFinite(weight) && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ topic }) => topic);
}

function weightsOf(zones: readonly Zone[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { text, weight } of zones)
    for (const { folded } of splitWords(text)) {
      const key = stem(folded);
      weights.set(key, (weights.get(key) ?? 0) + weight);
    }
  return weights;
}

/** Returns stems without words such as «и» and «of», which every text has. */
function stemsOf(topic: string): string[] {
  return splitWords(topic).flatMap(({ folded }) => (isStopWord(folded) ? [] : [stem(folded)]));
}
