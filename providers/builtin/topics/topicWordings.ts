/** Words of a text that indicate topics: a word that indicates many topics counts less for each of them. */
import { topicWords } from '../../../domain/dictionaries/topicWords.ts';
import type { Topic } from '../../../domain/dictionaries/loadDictionary.ts';
import { stem } from '../text/stem.ts';
import { foldWord, splitWords } from '../text/words.ts';
import type { Zone } from '../text/weightedTextZones.ts';
import { FEW_WORDS } from './shortTexts.ts';

/** Weight of a wording of several words, which seldom occurs by chance. */
const WORDING_WEIGHT = 1.5;
/** Maximum number of words read; later ones repeat the subject. */
const MAX_WORDS = 20_000;

/** Words with which short texts refer to themselves as a recording or a publication, and not to a subject. */
const FORM = `
video clip channel watch subscribe subscriber like comment view viewer episode season series part chapter trailer
recording record stream live upload reupload broadcast test message update link title host guest show frame scene
видео видеоролик ролик канал подписка подписчик лайк комментарий просмотр зритель выпуск эпизод сезон серия часть глава
трейлер запись трансляция стрим эфир тест сообщение объявление обновление ссылка ведущий гость шоу кадр сцена история
`;
let formStems: Set<string> | undefined;

function isForm({ stems }: Indicator): boolean {
  formStems ??= new Set(
    FORM.trim()
      .split(/\s+/)
      .map((word) => stem(foldWord(word))),
  );
  return stems.length === 1 && formStems.has(stems[0] ?? '');
}

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

/** Evidence in words for a topic. */
export interface Scored {
  topic: Topic;
  score: number;
  /** Number of different wordings of the topic. */
  wordings: number;
}

/** Returns the topics that have words in the text, by id, and the number of words of the text. */
export function scoreByWords(zones: readonly Zone[]): { scores: Map<string, Scored>; words: number } {
  const { weights, words } = countWordings(zones);
  const telling = words < FEW_WORDS ? new Map([...weights].filter(([indicator]) => !isForm(indicator))) : weights;
  return { scores: scoresOf(telling), words };
}

function scoresOf(weights: ReadonlyMap<Indicator, number>): Map<string, Scored> {
  const scores = new Map<string, Scored>();
  for (const [{ stems, topics }, weight] of weights) {
    const own = topics.filter((topic) => !topics.some((other) => other.parent === topic.id));
    const score = (Math.log2(1 + weight) * (stems.length > 1 ? WORDING_WEIGHT : 1)) / Math.sqrt(own.length);
    for (const topic of topics) {
      const known = scores.get(topic.id) ?? { topic, score: 0, wordings: 0 };
      known.score += score;
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
    for (let at = 0; at < stems.length && words < MAX_WORDS; at += 1, words += 1)
      for (const indicator of indicators.get(stems[at] ?? '') ?? [])
        if (indicator.stems.every((each, index) => stems[at + index] === each))
          weights.set(indicator, (weights.get(indicator) ?? 0) + weight);
  }
  return { weights, words };
}
