/**
 * Topics of a text from the product's list of interests: topics with the most matching words, and topics of similar
 * meaning. A word that indicates many topics counts less for each of them.
 */
import { parentOf, topicWords } from '../../../domain/dictionaries/topicWords.ts';
import type { Topic } from '../../../domain/dictionaries/load.ts';
import type { Nearness } from '../topicNearness.ts';
import { stem } from './stem.ts';
import { foldWord, splitWords } from './words.ts';
import type { Zone } from './zones.ts';

/** Weight of a wording of several words, which seldom occurs by chance. */
const WORDING_WORTH = 1.5;
/** A text with at most this number of words may have one word of its topic; a longer one has several. */
const FEW_WORDS = 25;
const LEAST_WORDINGS = 2;
const LEAST_SCORE = 1;
const LEAST_SHARE = 0.62;
const MOST_TOPICS = 3;
/**
 * Weight of the words relative to the nearness: the value that classified 60 texts of another author best
 * (docs/analysis.md).
 */
const WORDS_WORTH = 0.05;
const MOST_BY_WORDS = 5;
const LEAST_NEAR = 0.25;
const NEAR_SHARE = 0.85;
/** Share of a parent topic's evidence that counts for its subtopics. */
const PARENT_SHARE = 0.3;
/** Broad collections of unrelated subjects, which are not topics of a text. */
const VAGUE = new Set(['hobbies', 'news', 'society', 'services', 'home', 'shopping', 'business', 'family']);
/** Maximum number of words read; later ones repeat the subject. */
const MOST_WORDS = 20_000;

interface Indicator {
  stems: readonly string[];
  topics: Topic[];
}

/** By the first stem of a wording. Built for the first text. */
let indicators: Map<string, Indicator[]> | undefined;

function makeIndicators(): Map<string, Indicator[]> {
  const all = new Map<string, Indicator>();
  for (const { topic, words } of topicWords)
    for (const word of words) {
      const stems = word.map((each) => stem(foldWord(each)));
      const known = all.get(stems.join(' ')) ?? { stems, topics: [] };
      if (!known.topics.includes(topic)) known.topics.push(topic);
      all.set(stems.join(' '), known);
    }
  return Map.groupBy(all.values(), ({ stems }) => stems[0] ?? '');
}

/**
 * Returns at most three topics, best first, including the parent of the best one.
 * @param language of the names of the topics
 * @param nearness of the text to each topic, if it was computed
 */
export function topicsFrom(zones: readonly Zone[], language: 'ru' | 'en', nearness: Nearness | null): string[] {
  const { weights, words } = countWordings(zones);
  const scores = scoresOf(weights);
  const byBoth = nearness === null ? [] : rankByBoth(scores, nearness);
  // The vector of a one-sentence note is near to no topic, and so few words seldom mean something else.
  const isByWords = nearness === null || (byBoth.length === 0 && words < FEW_WORDS);
  const ranked = isByWords ? rankByWords(scores, words) : byBoth;
  const [best] = ranked;
  if (best === undefined) return [];
  const least = (isByWords ? LEAST_SHARE : NEAR_SHARE) * best.score;
  const near = ranked.filter(({ topic, score }) => score >= least && !VAGUE.has(topic.id)).slice(0, MOST_TOPICS - 1);
  const above = parentOf((near[0] ?? best).topic);
  const chosen = [...near.map(({ topic }) => topic), ...(above !== undefined && !VAGUE.has(above.id) ? [above] : [])];
  return [...new Set(chosen)].map((topic) => topic[language]);
}

type Ranked = { topic: Topic; score: number }[];

function rankByWords(scores: ReadonlyMap<string, Scored>, words: number): Ranked {
  const least = words < FEW_WORDS ? 1 : LEAST_WORDINGS;
  return inOrder(
    [...scores.values()]
      .filter(({ wordings }) => wordings >= least)
      .map((each) => ({ ...each, score: each.score + PARENT_SHARE * parentScore(each.topic, scores) }))
      .filter(({ score }) => score >= LEAST_SCORE),
  );
}

/**
 * Ranks by both. Words alone mislead if they have another meaning here, nearness alone if a text resembles many topics.
 */
function rankByBoth(scores: ReadonlyMap<string, Scored>, nearness: Nearness): Ranked {
  return inOrder(
    topicWords
      .map(({ topic }) => {
        const byWords = Math.min(MOST_BY_WORDS, scores.get(topic.id)?.score ?? 0);
        return { topic, score: (nearness.get(topic.id) ?? 0) + WORDS_WORTH * byWords };
      })
      .filter(({ topic, score }) => score >= LEAST_NEAR && !VAGUE.has(topic.id)),
  );
}

function inOrder(ranked: Ranked): Ranked {
  return ranked.toSorted((a, b) => b.score - a.score || (a.topic.id < b.topic.id ? -1 : 1));
}

function parentScore(topic: Topic, scores: ReadonlyMap<string, Scored>): number {
  return scores.get(topic.parent ?? '')?.score ?? 0;
}

interface Scored {
  topic: Topic;
  score: number;
  wordings: number;
}

function scoresOf(weights: ReadonlyMap<Indicator, number>): Map<string, Scored> {
  const scores = new Map<string, Scored>();
  for (const [{ stems, topics }, weight] of weights) {
    const own = topics.filter((topic) => !topics.some((other) => other.parent === topic.id));
    const worth = (Math.log2(1 + weight) * (stems.length > 1 ? WORDING_WORTH : 1)) / Math.sqrt(own.length);
    for (const topic of topics) {
      const known = scores.get(topic.id) ?? { topic, score: 0, wordings: 0 };
      known.score += worth;
      known.wordings += 1;
      scores.set(topic.id, known);
    }
  }
  return scores;
}

function countWordings(zones: readonly Zone[]): { weights: Map<Indicator, number>; words: number } {
  indicators ??= makeIndicators();
  const weights = new Map<Indicator, number>();
  let words = 0;
  for (const { text, weight } of zones) {
    const stems = splitWords(text).map(({ folded }) => stem(folded));
    for (let at = 0; at < stems.length && words < MOST_WORDS; at += 1, words += 1)
      for (const indicator of indicators.get(stems[at] ?? '') ?? [])
        if (indicator.stems.every((each, index) => stems[at + index] === each))
          weights.set(indicator, (weights.get(indicator) ?? 0) + weight);
  }
  return { weights, words };
}
