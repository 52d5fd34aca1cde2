import { describe, expect, it } from '@jest/globals';
import { withoutCode } from '../../../../providers/builtin/text/withoutCode.ts';

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
});
