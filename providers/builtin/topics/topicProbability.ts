/**
 * The probability that a topic is right, from its words in the text and from the nearness of their meanings: a logistic
 * rule, fitted to texts whose topics a person has named (tools/scripts/topicRule/topicRule.ts; docs/analysis.md has its
 * figures).
 */
import { topicWords } from '../../../domain/dictionaries/topicWords.ts';
import { logistic } from '../../../domain/logistic.ts';
import type { TopicSimilarities } from './topicNearness.ts';
import type { Scored } from './topicWordings.ts';

/** Evidence above this says nothing more. */
const MAX_SCORE = 5;
/** Words above this say nothing more. */
const MAX_WORDS = 80;
/** A smaller deviation of the nearness is due to rounding: all topics are equally near. */
const MIN_DEVIATION = 1e-9;

/** The rule's inputs if the nearness is known, and if it is not. */
export const FEATURES = ['near', 'has', 'score', 'several', 'share', 'length', 'nearLength', 'scoreLength'] as const;
export const WORD_FEATURES = ['has', 'score', 'several', 'share', 'length', 'scoreLength'] as const;

/**
 * The evidence for one topic: `near`: the nearness of the text to it, in standard deviations above the mean nearness to
 * all topics that are not narrow, which removes what all texts of that length and style have in common; `has` (0 or 1):
 * whether any of its wordings occurs; `several` (0 or 1): whether more than one does; `score`: their weight; `share`:
 * that weight as a share of the wordings of all topics; `length`: the length of the text, in doublings.
 */
export type Features = Record<(typeof FEATURES)[number] | (typeof WORD_FEATURES)[number], number>;

interface Rule {
  bias: number;
  weights: Partial<Record<keyof Features, number>>;
}

const BY_BOTH: Rule = {
  bias: -4.184,
  weights: {
    near: 0.381,
    has: 1.082,
    score: 1.291,
    several: 0.448,
    share: 0.546,
    length: -0.131,
    nearLength: 0.106,
    scoreLength: -0.132,
  },
};
const BY_WORDS: Rule = {
  bias: -4.108,
  weights: { has: 2.045, score: 1.453, several: 1.38, share: 1.553, length: -0.072, scoreLength: -0.133 },
};

/**
 * Returns the probability of each topic that has a word in the text, by id: nearness alone would make topics up.
 * @param words number of words of the text
 */
export function topicProbabilities(
  scores: ReadonlyMap<string, Scored>,
  words: number,
  nearness: TopicSimilarities | null,
): Map<string, number> {
  const { bias, weights } = nearness === null ? BY_WORDS : BY_BOTH;
  const names = nearness === null ? WORD_FEATURES : FEATURES;
  return new Map(
    [...featuresOf(scores, words, nearness)].flatMap(([id, features]) => {
      if (features.has === 0) return [];
      const sum = names.reduce((total, name) => total + features[name] * (weights[name] ?? 0), bias);
      return [[id, logistic(sum)] as const];
    }),
  );
}

/** @param nearness null if it is unknown, which makes `near` 0 */
export function featuresOf(
  scores: ReadonlyMap<string, Scored>,
  words: number,
  nearness: TopicSimilarities | null,
): Map<string, Features> {
  const standard = nearness === null ? null : standardise(nearness);
  const length = Math.log2(1 + Math.min(MAX_WORDS, words));
  const all = [...scores.values()].reduce((sum, each) => sum + each.score, 0);
  return new Map(
    topicWords.map(({ topic: { id } }) => {
      const known = scores.get(id);
      const score = Math.min(MAX_SCORE, known?.score ?? 0);
      const near = standard?.get(id) ?? 0;
      const has = known === undefined ? 0 : 1;
      const several = (known?.wordings ?? 0) > 1 ? 1 : 0;
      const share = (known?.score ?? 0) / (1 + all);
      const products = { nearLength: near * length, scoreLength: score * length };
      return [id, { near, has, score, several, share, length, ...products }];
    }),
  );
}

const narrow: ReadonlySet<string> = new Set(topicWords.flatMap(({ topic, isNarrow }) => (isNarrow ? [topic.id] : [])));

/** Mean and deviation are those of the topics that the rule is fitted to. */
function standardise(nearness: TopicSimilarities): Map<string, number> {
  const all = [...nearness].flatMap(([id, value]) => (narrow.has(id) ? [] : [value]));
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  const deviation = Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length);
  return new Map([...nearness].map(([id, value]) => [id, deviation > MIN_DEVIATION ? (value - mean) / deviation : 0]));
}
