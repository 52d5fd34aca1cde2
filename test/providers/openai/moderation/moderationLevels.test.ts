import { expect, it } from '@jest/globals';
import { readScores } from '../../../../providers/openai/moderation/moderationLevels.ts';

/** The categories of `omni-moderation-latest`. */
const CATEGORIES = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
];

it('a picture is judged by its sexual content, its violence and self-harm alone, unless the answer says more', () => {
  const scores = { category_scores: Object.fromEntries(CATEGORIES.map((category) => [category, 0])) };
  const judged = (result: unknown) =>
    readScores(result, { kind: 'frame', frame: '0:1' }).flatMap(({ category, level }) =>
      level === 'none' ? [category] : [],
    );
  expect(judged(scores)).toEqual([
    'self-harm',
    'self-harm/instructions',
    'self-harm/intent',
    'sexual',
    'violence',
    'violence/graphic',
  ]);
  expect(judged({ ...scores, category_applied_input_types: { hate: ['text', 'image'], sexual: ['text'] } })).toEqual([
    'hate',
    'self-harm',
    'self-harm/instructions',
    'self-harm/intent',
    'violence',
    'violence/graphic',
  ]);
  const where = { offset: 0, length: 1 };
  expect(readScores(scores, { kind: 'text', chunk: 0, where }).every(({ level }) => level === 'none')).toBe(true);
});
