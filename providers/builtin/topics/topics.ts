/**
 * Topics of a text from the product's list of interests: topics with the most matching words, and topics of similar
 * meaning; of a short text, the topics that are likely right.
 */
import { topics } from '../../../domain/dictionaries/interests.ts';
import { topicWords } from '../../../domain/dictionaries/topicWords.ts';
import type { Topic } from '../../../domain/dictionaries/loadDictionary.ts';
import type { TopicSimilarities } from './topicNearness.ts';
import { topicProbabilities } from './topicProbability.ts';
import { FEW_WORDS } from './shortTexts.ts';
import { scoreByWords, type Scored } from './topicWordings.ts';
import type { Zone } from '../text/weightedTextZones.ts';

/** A topic of a short text is given if it is more likely right than wrong. */
export const MIN_PROBABILITY = 0.5;
const MIN_WORDINGS = 2;
const MIN_SCORE = 1;
const MIN_SHARE = 0.62;
const MAX_TOPICS = 3;
/**
 * Weight of the words relative to the nearness: the value that classified 60 texts of another author best
 * (docs/analysis.md).
 */
const WORDS_WEIGHT = 0.05;
const MAX_BY_WORDS = 5;
const MIN_NEAR = 0.25;
const NEAR_SHARE = 0.85;
/** Share of a parent topic's evidence that counts for its subtopics. */
const PARENT_SHARE = 0.3;
const VAGUE = new Set(['hobbies', 'news', 'society', 'services', 'home', 'shopping', 'business', 'family']);

/**
 * Returns at most three topics, best first, including the parent of the best one.
 * @param language of the names of the topics
 * @param nearness of the text to each topic, if it was computed
 */
export function topicsFrom(
  zones: readonly Zone[],
  language: 'ru' | 'en',
  nearness: TopicSimilarities | null,
): string[] {
  return topicIdsFrom(zones, nearness).flatMap((id) => topics.get(id)?.[language] ?? []);
}

/** Returns the ids of the topics of {@link topicsFrom}. */
export function topicIdsFrom(zones: readonly Zone[], nearness: TopicSimilarities | null): string[] {
  const { scores, words } = scoreByWords(zones);
  return words < FEW_WORDS
    ? chooseLikely(topicProbabilities(scores, words, nearness))
    : chooseByEvidence(scores, nearness);
}

/** Returns the ids of at most three topics of a short text: the likeliest ones, and the parent of the best. */
export function chooseLikely(probabilities: ReadonlyMap<string, number>, minProbability = MIN_PROBABILITY): string[] {
  const likely = [...probabilities]
    .filter(([id, probability]) => probability >= minProbability && !isVague(id))
    .toSorted(([oneId, one], [otherId, other]) => other - one || (oneId < otherId ? -1 : 1));
  return withParent(likely.map(([id]) => id).slice(0, MAX_TOPICS - 1));
}

let recognisable: ReadonlySet<string> | undefined;

/** Returns true for a topic that a text may get: one with words, or the parent of one. */
export function isRecognisable(id: string): boolean {
  recognisable ??= new Set(topicWords.flatMap(({ topic }) => [topic.id, topic.parent ?? topic.id]));
  return recognisable.has(id) && !isVague(id);
}

/** Returns true for a broad collection of unrelated subjects, which is never the topic of a text. */
export function isVague(id: string): boolean {
  return VAGUE.has(id);
}

function chooseByEvidence(scores: ReadonlyMap<string, Scored>, nearness: TopicSimilarities | null): string[] {
  const ranked = nearness === null ? rankByWords(scores) : rankByBoth(scores, nearness);
  const [best] = ranked;
  if (best === undefined) return [];
  const minScore = (nearness === null ? MIN_SHARE : NEAR_SHARE) * best.score;
  const near = ranked.filter(({ topic, score }) => score >= minScore && !isVague(topic.id));
  return withParent(near.map(({ topic }) => topic.id).slice(0, MAX_TOPICS - 1));
}

/** Adds the parent of the first topic, and leaves out what is vague. */
function withParent(ids: readonly string[]): string[] {
  const parent = topics.get(ids[0] ?? '')?.parent;
  return [...new Set([...ids, ...(parent === undefined ? [] : [parent])])].filter((id) => !isVague(id));
}

type Ranked = { topic: Topic; score: number }[];

function rankByWords(scores: ReadonlyMap<string, Scored>): Ranked {
  return inOrder(
    [...scores.values()]
      .filter(({ wordings }) => wordings >= MIN_WORDINGS)
      .map((each) => ({ ...each, score: each.score + PARENT_SHARE * parentScore(each.topic, scores) }))
      .filter(({ score }) => score >= MIN_SCORE),
  );
}

/**
 * Ranks by words and nearness. Words alone mislead if they have another meaning here, nearness alone if a text
 * resembles many topics. A narrow topic needs a word, since nearness hardly tells it from others of its parent.
 */
function rankByBoth(scores: ReadonlyMap<string, Scored>, nearness: TopicSimilarities): Ranked {
  return inOrder(
    topicWords
      .filter(({ topic, isNarrow }) => !isNarrow || scores.has(topic.id))
      .map(({ topic }) => {
        const byWords = Math.min(MAX_BY_WORDS, scores.get(topic.id)?.score ?? 0);
        return { topic, score: (nearness.get(topic.id) ?? 0) + WORDS_WEIGHT * byWords };
      })
      .filter(({ topic, score }) => score >= MIN_NEAR && !isVague(topic.id)),
  );
}

function inOrder(ranked: Ranked): Ranked {
  return ranked.toSorted((a, b) => b.score - a.score || (a.topic.id < b.topic.id ? -1 : 1));
}

function parentScore(topic: Topic, scores: ReadonlyMap<string, Scored>): number {
  return scores.get(topic.parent ?? '')?.score ?? 0;
}
