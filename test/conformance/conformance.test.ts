/** Each rule of the APIs' documents has a test, and each referenced test exists. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { analyticsOperations, analyticsPublicOperations } from '../../api/analytics/api.ts';
import { cabinetOperations } from '../../api/cabinet/api.ts';
import { contentOperations, contentPublicOperations } from '../../api/content/api.ts';
import { DOCUMENT, writeDocument } from './document.ts';
import type { Rule, TestRef } from './rule.ts';
import { CHAPTERS } from './rules/index.ts';
import { titlesOf } from './titles.ts';

const ROOT = join(import.meta.dirname, '..');
const rules = CHAPTERS.flatMap(({ title, rules: list }) =>
  list.map((rule) => ({ ...rule, name: `${title}: ${rule.id}` })),
);

/** api/examples.test.ts has a case for each. */
const OPERATIONS = new Set(
  [...contentOperations, ...contentPublicOperations, ...analyticsOperations, ...analyticsPublicOperations].map(
    ({ operationId }) => operationId,
  ),
);
/** Operations in the form in which rules name unbuilt ones. */
const SERVED = new Set(
  [...analyticsOperations, ...cabinetOperations].map(({ method, path }) => `${method.toUpperCase()} ${path}`),
);
const cache = new Map<string, Promise<{ titles: string[]; source: string } | null>>();

/** The formatter decides about line breaks and trailing commas in a case. */
const unspaced = (text: string): string => text.replaceAll(/\s/g, '').replaceAll(/,(?=[\]}])/g, '');

function read(file: string): Promise<{ titles: string[]; source: string } | null> {
  const path = join(ROOT, `${file}.test.ts`);
  const known =
    cache.get(file) ??
    readFile(path, 'utf8').then(
      async (source) => ({ titles: await titlesOf(path), source: unspaced(source) }),
      () => null,
    );
  cache.set(file, known);
  return known;
}

/** Returns the faults of a reference; empty when it leads to a test. */
async function faultsOf(rule: string, { file, title, cases }: TestRef): Promise<string[]> {
  const found = await read(file);
  if (found === null) return [`${rule}: there is no test/${file}.test.ts`];
  const faults = found.titles.includes(title) ? [] : [`${rule}: test/${file}.test.ts has no "${title}"`];
  const isCase = (text: string): boolean =>
    file === 'api/examples' ? OPERATIONS.has(text) : found.source.includes(unspaced(text));
  return [
    ...faults,
    ...cases.filter((text) => !isCase(text)).map((text) => `${rule}: test/${file}.test.ts has no case "${text}"`),
  ];
}

describe('conformance', () => {
  it('has a test for every rule, or a reason why there can be none', () => {
    const saysOne = ({ tests, untested, unbuilt }: Rule): boolean =>
      [tests.length > 0, untested !== undefined, unbuilt !== undefined].filter(Boolean).length === 1;
    expect(rules.filter((rule) => !saysOne(rule)).map(({ name }) => name)).toEqual([]);
  });

  it('says of nothing that is served that it is not built yet', () => {
    expect(rules.filter(({ unbuilt }) => unbuilt !== undefined && SERVED.has(unbuilt)).map(({ name }) => name)).toEqual(
      [],
    );
    expect(SERVED.has('POST /conversions') && SERVED.has('PUT /sites/{id}/goals/{code}')).toBe(true);
  });

  it('names tests that exist', async () => {
    const faults = await Promise.all(rules.flatMap(({ name, tests }) => tests.map((test) => faultsOf(name, test))));
    expect(faults.flat()).toEqual([]);
  });

  it('names each rule once', () => {
    expect(rules.map(({ name }) => name).filter((name, index, names) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('is what docs/conformance.md shows (run `npm run conformance` when this fails)', async () => {
    expect(await readFile(DOCUMENT, 'utf8')).toBe(writeDocument(CHAPTERS));
  });
});

describe('titlesOf', () => {
  it('finds tests in groups, by tables and by templates, and takes nothing else for one', async () => {
    const titles = await titlesOf(join(ROOT, 'conformance', 'fixtures', 'titles.ts'));
    expect(titles).toEqual([
      'group › plain',
      'group › inner %s › of a table %i',
      'group › inner %s › template',
      'outside',
    ]);
  });
});
