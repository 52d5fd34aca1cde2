/** Words that indicate the topic of a text: for each topic of the interests those of both languages. */
import { topics } from './interests.ts';
import { loadList, type Named, type Topic } from './load.ts';

export interface TopicWords {
  topic: Topic;
  /** Words in dictionary form, or wordings of several words. */
  words: readonly (readonly string[])[];
  /** The English ones among them whose meanings make the topic's vector. */
  english: readonly (readonly string[])[];
}

interface Words extends Named {
  /** Words of either language that are no part of the vector, which the rule for short texts is fitted to. */
  also?: string;
}

/** The topics that have words. */
export const topicWords: readonly TopicWords[] = [
  ...loadList<Words>('topic-words.v1.json', 'topics', /^[a-z0-9-]+$/).values(),
].map(({ id, ru, en, also }) => {
  const topic = topics.get(id);
  if (topic === undefined) throw new Error(`topic-words.v1.json: there is no topic ${id}`);
  const [russian, english] = [wordingsOf(ru), wordingsOf(en)];
  return { topic, words: [...russian, ...english, ...(also === undefined ? [] : wordingsOf(also))], english };
});

function wordingsOf(words: string): string[][] {
  return words.split(' ').map((wording) => wording.split('_'));
}
