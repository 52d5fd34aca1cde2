/** Words of every language that indicate the topic of a text, for each topic of the interests. */
import { topics } from './interests.ts';
import { loadList, namesOf, type Named, type Topic } from './loadDictionary.ts';

export interface TopicWords {
  topic: Topic;
  /** Words in dictionary form, or wordings of several words. */
  words: readonly (readonly string[])[];
  /** The English words among them; the topic's vector is made from their vectors. */
  english: readonly (readonly string[])[];
  /**
   * True when a text gets the topic only if it contains one of these words. The topic is then no part of the scale by
   * which nearness is measured.
   */
  isNarrow: boolean;
}

interface Words extends Named {
  /**
   * Words of any language that are left out of the topic's vector, because the rule for short texts is fitted to the
   * vector without them.
   */
  also?: string;
  /**
   * True for a topic that a text may be near to without being about it, as any text about cars is near to used cars.
   * The rule for short texts is fitted to the others.
   */
  narrow?: boolean;
}

/** The topics that have words. */
export const topicWords: readonly TopicWords[] = [
  ...loadList<Words>('topic-words.v1.json', 'topics', /^[a-z0-9-]+$/).values(),
].map((entry) => {
  const { id, en, also, narrow = false } = entry;
  const topic = topics.get(id);
  if (topic === undefined) throw new Error(`topic-words.v1.json: there is no topic ${id}`);
  const listed = [...namesOf(entry), ...(also === undefined ? [] : [also])];
  return { topic, words: listed.flatMap(wordingsOf), english: wordingsOf(en), isNarrow: narrow };
});

function wordingsOf(words: string): string[][] {
  return words.split(' ').map((wording) => wording.split('_'));
}
