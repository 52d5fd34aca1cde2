import { describe, expect, it } from '@jest/globals';
import { withoutCode } from '../../../../providers/builtin/text/withoutCode.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

describe('withoutCode', () => {
  it.each([
    'Chapter one.\n\n~~~\n\nChapter two. She came back.\n\n~~~\n\nChapter three.',
    '```npm i``` installs it\nand nothing else.',
    '```\nOpened and never closed.\nconst a = f(x);',
    'The area is this:\nA = pi r squared, where r is its radius.\nE = mc2 was found by Einstein in 1905.',
    'E = mc2\nF = ma\nare formulas.',
    'Goods\nfrom London\nimport duties\nlet us know (by phone)\nreturn tickets (two)\nApples(3);\nPears(4);',
    'if you can keep your head when all about you:\n  Are losing theirs and blaming it on you:\nwhile I wait:',
    'with sauce:\n  tomato\nwith cream:\n  milk',
  ])('keeps prose: %j', (text) => expect(withoutCode(text)).toBe(text));

  it.each([
    'Before.\n```ts\nrun\n```\nAfter.',
    "Before.\nimport { a } from 'b';\n\nexport function foo(x) {\n  return x + 1;\n}\nAfter.",
    'Before.\nimport numpy as np\nx = np.array([1, 2])\nprint(x)\nAfter.',
  ])('leaves out code: %j', (text) => expect(withoutCode(text)).toBe('Before.\nAfter.'));

  it('leaves out a long line within a block of code', () => {
    const block = `const a = f(x);\n  call(${'a1, '.repeat(100)}b);\n  done(a);`;
    expect(withoutCode(`Before.\n${block}\nAfter.`)).toBe('Before.\nAfter.');
  });

  it.each([
    ['one word below a statement', `let a = b;\n  ${'a'.repeat(100_000)}`],
    ['comments that end at a line separator', `let a = b;\n  ${' #'.repeat(50_000)}\u2028x`],
    ['a fence that spaces follow', `\`\`\`${' '.repeat(100_000)}!`],
  ])('takes linear time for %s', async (_, text) => expect(await cpuMsOf(() => withoutCode(text))).toBeLessThan(1_000));
});
