/** Words that indicate the topic of a text: for each topic of the interests those of both languages. */
import { topics } from './interests.ts';
import { loadList, type Named, type Topic } from './load.ts';

export interface TopicWords {
  topic: Topic;
  /** Words in dictionary form, or wordings of several words. */
  words: readonly (readonly string[])[];
  /** The English ones among them. */
  english: readonly (readonly string[])[];
}

/** The topics that have words. */
export const topicWords: readonly TopicWords[] = [
  ...loadList<Named>('topic-words.v1.json', 'topics', /^[a-z0-9-]+$/).values(),
].map(({ id, ru, en }) => {
  const topic = topics.get(id);
  if (topic === undefined) throw new Error(`topic-words.v1.json: there is no topic ${id}`);
  const [russian, english] = [ru, en].map((words) => words.split(' ').map((wording) => wording.split('_')));
  return { topic, words: [...(russian ?? []), ...(english ?? [])], english: english ?? [] };
});
