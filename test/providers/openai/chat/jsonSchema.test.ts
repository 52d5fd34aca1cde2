import { expect, it } from '@jest/globals';
import { compileAnswer, listOf, number, objectOf, string } from '../../../../providers/openai/chat/jsonSchema.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const check = compileAnswer(
  objectOf({ list: listOf(objectOf({ start: number('A time.'), title: string('A title.') })) }),
);

it('an answer with several faults is described with up to ten of them', () => {
  const answer = check(JSON.stringify({ list: Array.from({ length: 20 }, () => ({})) }));
  if (answer.ok) throw new Error('it was accepted');
  expect(answer.problem.split('; ')).toHaveLength(10);
  expect(answer.problem).toContain(
    "/list/0 must have required property 'start'; /list/0 must have required property 'title'",
  );
});

it('only the first of millions of faults is looked for', async () => {
  const text = `{"list":[${'{},'.repeat(500_000)}{}]}`;
  let answer: ReturnType<typeof check> | undefined;
  expect(await cpuMsOf(() => (answer = check(text)))).toBeLessThan(1_500);
  expect(answer).toEqual({ ok: false, problem: "/list/0 must have required property 'start'" });
});
