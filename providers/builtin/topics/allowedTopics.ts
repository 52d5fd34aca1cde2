/** Finds a project's allowed topics in a text: by their words, and with vectors of meaning also by what they mean. */
import { topicOfWording } from '../../../domain/dictionaries/interests.ts';
import { namesOf, type Topic } from '../../../domain/dictionaries/loadDictionary.ts';
import { foldText } from '../../../domain/dictionaries/stems.ts';
import { isStopWord } from '../text/stopWords.ts';
import { stem } from '../text/stem.ts';
import { splitWords } from '../text/words.ts';
import type { Zone } from '../text/weightedTextZones.ts';
import type { TextSimilarities } from './topicNearness.ts';
import { isRecognisable, topicIdsFrom } from './topics.ts';

/** Maximum number of topics of one item. */
const MAX_TOPICS = 5;

/**
 * Returns topics of the project's own list, best first.
 * @param similarities null if nothing is known about meaning
 */
export function topicsInList(
  allowed: readonly string[],
  zones: readonly Zone[],
  similarities: TextSimilarities | null,
): string[] {
  const topics =
    similarities === null ? topicsAmong(allowed, zones) : likelyAllowedTopics(allowed, zones, similarities);
  return topics.slice(0, MAX_TOPICS);
}

/**
 * Returns the topics all of whose words occur in the text, in any form and order. The best are first: by the weighted
 * count of a topic's rarest word over the zones, then in the project's order.
 */
function topicsAmong(allowed: readonly string[], zones: readonly Zone[]): string[] {
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

/**
 * Minimum nearness of a text to a topic's name, in standard deviations (see `TextSimilarities`). `named`: the list of
 * interests has the topic under this name. `synonym`: the list has it under another name, which may cover only a part
 * of it ("pizza" for "fast food"). `said`: the list does not recognise it, and its words may be in the text by chance.
 * Chosen on the yardstick's texts with a vocabulary of forty topics (docs/analysis.md).
 */
const MIN_DEVIATIONS = { named: 0, synonym: 1, said: 2 } as const;

/**
 * Returns the topics that the text is about, best first. A topic whose wording is in the list of interests, in any
 * language, is recognised as it would be without a vocabulary; several wordings of one interest remain separate topics.
 * Any other topic needs all of its words in the text: a shared stem says little («Правый» and «Права»).
 */
function likelyAllowedTopics(
  allowed: readonly string[],
  zones: readonly Zone[],
  similarities: TextSimilarities,
): string[] {
  const recognised = topicIdsFrom(zones, similarities.toTopics);
  const isNear = (topic: string, minDeviations: number): boolean =>
    (similarities.toNames.get(topic) ?? -Infinity) >= minDeviations;
  const likely: { topic: string; rank: number }[] = [];
  const others: string[] = [];
  for (const topic of allowed) {
    const interest = topicOfWording(topic);
    if (interest === undefined || !isRecognisable(interest.id)) {
      others.push(topic);
      continue;
    }
    const rank = recognised.indexOf(interest.id);
    if (rank >= 0 && isNear(topic, hasName(interest, topic) ? MIN_DEVIATIONS.named : MIN_DEVIATIONS.synonym))
      likely.push({ topic, rank });
  }
  const said = topicsAmong(others, zones).filter((topic) => isNear(topic, MIN_DEVIATIONS.said));
  return [...likely.sort((a, b) => a.rank - b.rank).map(({ topic }) => topic), ...said];
}

function hasName(interest: Topic, text: string): boolean {
  return namesOf(interest).some((name) => foldText(name) === foldText(text));
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
