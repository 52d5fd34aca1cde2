/** Interests: a tree of topics, and the topic of a free text. */
import type { Interest } from '../people/personValues.ts';
import { isKeepable } from '../people/keepableTexts.ts';
import { loadList, namesOf, type Topic } from './loadDictionary.ts';
import { foldText, stemKey, stemsOf } from './stems.ts';

export const topics: ReadonlyMap<string, Topic> = loadList<Topic>('interests.v1.json', 'topics', /^[a-z0-9-]+$/);

/** A text with more words than this is more than the name of a topic with a few words around it. */
const MAX_WORDS_AROUND = 6;
const MAX_TEXT = 200;

interface Wording {
  text: string;
  topic: Topic;
}

const wordings: Wording[] = [...topics.values()].flatMap((topic) =>
  [...namesOf(topic), ...(topic.synonyms ?? [])].map((text) => ({ text: foldText(text), topic })),
);

/** One wording has one topic. */
const byText = new Map<string, Topic>();
for (const { text, topic } of wordings) {
  const known = byText.get(text);
  if (known && known !== topic) throw new Error(`interests.v1.json: “${text}” is both ${known.id} and ${topic.id}`);
  byText.set(text, topic);
}

interface Stems {
  /** Different words may have the same stem (anime, animation): the first one's topic counts. */
  whole: ReadonlyMap<string, Topic>;
  /** By the first stem of the wording: the wordings that a text with this stem may contain. */
  byFirst: ReadonlyMap<string, { stems: string[]; topic: Topic }[]>;
}

/** Built for the first text: it takes a tenth of a second, and most processes never see a text. */
let stemsOfTopics: Stems | undefined;

function makeStems(): Stems {
  const whole = new Map<string, Topic>();
  for (const { text, topic } of wordings) {
    const key = stemKey(text);
    if (!whole.has(key)) whole.set(key, topic);
  }
  return {
    whole,
    byFirst: Map.groupBy(
      [...whole].map(([key, topic]) => ({ stems: key.split(' '), topic })),
      ({ stems }) => stems[0] ?? '',
    ),
  };
}

/**
 * Returns the topic of an id, of a name or synonym in any form of its words, or of the longest name within a short
 * text. A text without a topic is kept folded, so that a later dictionary may know it.
 * @returns null for a text that may not be stored
 */
export function interestOf(text: string): Interest | null {
  const topic = topicOf(text);
  if (topic) return { interest: topic.id, isTopic: true, isSensitive: topic.sensitive ?? false };
  const folded = foldText(text);
  return isKeepable(folded)
    ? { interest: [...folded].slice(0, MAX_TEXT).join(''), isTopic: false, isSensitive: false }
    : null;
}

/** Returns the topic that has the text as a name or synonym, in this form of its words and any case. */
export function topicOfWording(text: string): Topic | undefined {
  return byText.get(foldText(text));
}

/** Returns the topic whose id, name or synonym the text is, in any form of its words. */
export function namedTopicOf(text: string): Topic | undefined {
  const named = topics.get(text) ?? byText.get(foldText(text));
  return named ?? (stemsOfTopics ??= makeStems()).whole.get(stemKey(text));
}

function topicOf(text: string): Topic | undefined {
  const stems = stemsOf(text);
  const named = namedTopicOf(text);
  if (named || stems.length > MAX_WORDS_AROUND) return named;
  const known = (stemsOfTopics ??= makeStems());
  const within = stems
    .flatMap((stem) => known.byFirst.get(stem) ?? [])
    .filter((wording) => wording.stems.every((stem) => stems.includes(stem)));
  // The longer wording is more specific; of equally long ones the one with more letters.
  const weight = (wording: { stems: string[] }): number => wording.stems.length * 1000 + wording.stems.join('').length;
  return within.toSorted((a, b) => weight(b) - weight(a))[0]?.topic;
}
