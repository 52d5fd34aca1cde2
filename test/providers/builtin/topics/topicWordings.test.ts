import { describe, expect, it } from '@jest/globals';
import { topicWords } from '../../../../domain/dictionaries/topicWords.ts';
import { scoreByWords } from '../../../../providers/builtin/topics/topicWordings.ts';

const topicsIn = (text: string): ReadonlyMap<string, unknown> =>
  scoreByWords([{ kind: 'body', text: `${text} ${'1 '.repeat(30)}`, weight: 1 }]).scores;

describe('the words of topics', () => {
  it('are all found in a text that contains them', () => {
    const wordings = topicWords.flatMap(({ topic, words }) => words.map((word) => ({ id: topic.id, word })));
    const isMissed = ({ id, word }: (typeof wordings)[number]): boolean =>
      !topicsIn(word.join(' ')).has(id) || !topicsIn(`«${word.join('\n').toUpperCase()}»!`).has(id);
    expect(wordings.filter(isMissed)).toEqual([]);
  });

  it('may have an apostrophe in the text', () => {
    expect([...topicsIn('There is a kids’ club.').keys()]).toContain('travel-family');
  });
});
