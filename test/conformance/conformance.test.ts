/** Each rule of the APIs' documents has a test, and each tag of a test names a rule. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DOCUMENT, writeDocument } from './document.ts';
import { readProofs, type Proofs } from './proofs.ts';
import { CHAPTERS } from './rules/index.ts';
import { readTags } from './tags.ts';

const rules = CHAPTERS.flatMap(({ id: chapter, rules: list }) =>
  list.map(({ id, untested }) => ({ id: `${chapter}/${id}`, untested })),
);
const ids = rules.map(({ id }) => id);
let proofs: Proofs;

beforeAll(async () => {
  proofs = await readProofs();
});

describe('the rules', () => {
  it('each have a test, or a reason why there can be none', () => {
    const saysOne = ({ id, untested }: (typeof rules)[number]): boolean =>
      proofs.byRule.has(id) !== (untested !== undefined);
    expect(rules.filter((rule) => !saysOne(rule)).map(({ id }) => id)).toEqual([]);
  });

  it('have unique ids, in a form that a tag can name', () => {
    const chapters = CHAPTERS.map(({ id }) => id);
    expect(chapters.filter((id, index) => chapters.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z-]+\/[\w-]+$/.test(id))).toEqual([]);
  });

  it('match docs/conformance.md (run `npm run conformance` when this fails)', async () => {
    expect(await readFile(DOCUMENT, 'utf8')).toBe(writeDocument(CHAPTERS, proofs));
  });
});

describe('the tags of the tests', () => {
  it('name rules that exist', () => {
    expect([...proofs.byRule.keys()].filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('are directly above a test, a group or a row of a table', () => {
    expect(proofs.stray).toEqual([]);
  });
});

describe('readTags', () => {
  const proofsOf = (source: string) => readTags(source).proofs.map(({ rule, title, row }) => [rule, title, row]);

  it('reads tags above tests and groups, on several lines and next to other comments', () => {
    const source = `
      // proves: a/1, a/2
      // Why this is so.
      // proves: b/1
      describe('group', () => {
        const before = 'proves: nothing';
        // proves: c/1
        it(\`plain\`, () => {});
        it('untagged', () => {});
      });
      // proves: d/1
      it('outside', () => {});
    `;
    expect(proofsOf(source)).toEqual([
      ['a/1', 'group', undefined],
      ['a/2', 'group', undefined],
      ['b/1', 'group', undefined],
      ['c/1', 'group › plain', undefined],
      ['d/1', 'outside', undefined],
    ]);
  });

  it('reads tags above a row, in the call or in a constant', () => {
    const source = `
      const ROWS: [string, number][] = [
        // proves: a/1
        ['a row', 1],
        ['another', 2],
      ];
      describe.each(ROWS)('of %s', () => {
        it.each([
          // proves: b/1
          [{ a: 'text' }, 1],
        ])('with %j', () => {});
      });
    `;
    expect(proofsOf(source)).toEqual([
      ['a/1', 'of %s', 'a row'],
      ['b/1', 'of %s › with %j', "{ a: 'text' }"],
    ]);
  });

  it('finds tags that belong to nothing', () => {
    const source = `
      // proves: a/1
      const before = 1;
      it('a test', () => {
        // proves: a/2
        expect(before).toBe(1);
      });
      it(titleOf(before), () => {});
      // proves: a/3
    `;
    expect(readTags(source)).toEqual({ proofs: [], stray: ['proves: a/1', 'proves: a/2', 'proves: a/3'] });
  });
});
