/**
 * Each endpoint, field of an item, field of a request for output, dimension and metric of reports has a rule, and the
 * texts that list the endpoints of a shared limit or the nullable defaults of a surface list all of them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { analyticsOperations } from '../../api/analyticsApi.ts';
import { limitOf } from '../../api/analytics/keyLimits.ts';
import { ItemDetail } from '../../api/content/items/itemRead.ts';
import { SurfaceDefaults } from '../../api/cabinet/output/surfaceDefaultsAndVariants.ts';
import { outputRequestFields } from '../../api/content/output/outputFields.ts';
import { contentOperations } from '../../api/contentApi.ts';
import type { AnyOperation } from '../../api/http/operations/operation.ts';
import { ItemPutRequest } from '../../domain/schemas/itemFields.ts';
import { DEFAULT_SITE_LIMITS } from '../../domain/sites/siteLimits.ts';
import { DIMENSIONS, METRICS } from '../../reports/registry/index.ts';
import type { Chapter } from './rule.ts';
import { analyticsChapters } from './rules/analytics.ts';
import { contentChapters } from './rules/content.ts';
import { outputChapters } from './rules/output.ts';
import { reportChapters } from './rules/reports.ts';

const readDocument = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');
const PEOPLE = readDocument('people.md');
const OUTPUT = readDocument('output.md');

const namesOf = (chapters: readonly Chapter[]): string[] =>
  chapters.flatMap(({ rules }) => rules.map(({ name }) => name));
/** Paths of output have a chapter of their own, in which each is named by its end. */
const OUTPUT_PATHS = namesOf(outputChapters.filter(({ id }) => id === 'output-paths')).flatMap((end) => [
  `POST /${end}`,
  `POST /recommendations/${end}`,
]);

it.each<[string, readonly AnyOperation[], readonly string[]]>([
  ['content', contentOperations, [...namesOf(contentChapters), ...OUTPUT_PATHS]],
  ['analytics', analyticsOperations, namesOf(analyticsChapters)],
])('each endpoint of the %s API is the name of a rule', (_api, operations, names) => {
  const endpoints = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(endpoints.filter((endpoint) => !names.includes(endpoint))).toEqual([]);
});

it.each<[string, readonly string[], readonly Chapter[], string]>([
  ['a request with an item', Object.keys(ItemPutRequest.properties), contentChapters, 'write'],
  ['an answer with an item', ItemDetail.required, contentChapters, 'read'],
  ['a request for output', Object.keys(outputRequestFields), outputChapters, 'output-request'],
])('each field of %s is in the name of a rule', (_what, fields, chapters, id) => {
  const rules = chapters.find((chapter) => chapter.id === id)?.rules ?? [];
  const named = new Set(rules.flatMap(({ name }) => name.split(', ')));
  expect(fields.filter((field) => !named.has(field))).toEqual([]);
});

it.each([...new Set(DIMENSIONS.map(({ group }) => group))])(
  'the rule of the dimensions of the group %s lists them all',
  (group) => {
    const rules = reportChapters.find(({ id }) => id === 'report-dimensions')?.rules ?? [];
    const [list = ''] = rules.find(({ id }) => id === group)?.says.split('; ') ?? [];
    const listed = list.split(', ').map((name) => name.replace(/:<\w+>$/, ''));
    expect(listed).toEqual(DIMENSIONS.filter((dimension) => dimension.group === group).map(({ id }) => id));
  },
);

it('docs/output.md lists the defaults of a surface that null cancels', () => {
  const [, list = ''] = /cancels the default for a field with `null` \(([^)]+)\)/.exec(OUTPUT) ?? [];
  const nullable = Object.entries(SurfaceDefaults.properties)
    .filter(([, schema]) => [(schema as { type?: unknown }).type].flat().includes('null'))
    .map(([name]) => name);
  expect(list.split(', ').toSorted()).toEqual(nullable.map((name) => `\`${name}\``).toSorted());
});

it.each([...new Set(METRICS.map(({ group }) => group))])(
  'the rule of the metrics of the group %s has them all',
  (group) => {
    const rules = reportChapters.find(({ id }) => id === 'report-metrics')?.rules ?? [];
    const ids = METRICS.filter((metric) => metric.group === group).map(({ id }) => id);
    const range = `the metrics from ${ids[0]} to ${ids.at(-1)}, as documented`;
    expect([range, ids.join(', ')]).toContain(rules.find(({ id }) => id === group)?.says);
  },
);

describe.each([
  ['writes', 'writes-rate', /may write \d+ times a second \(([^)]+)\)/],
  ['output', 'reads-rate', /read \d+ times \(([^)]+)\)/],
])('the endpoints that share the limit of %s', (bucket, ruleId, sentence) => {
  const caller = { keyId: 'k', limits: DEFAULT_SITE_LIMITS };
  const paths = analyticsOperations
    .filter((operation) => limitOf(caller, operation)?.key.endsWith(`/${bucket}`))
    .map(({ path }) => path);

  it('make up the name of their rule', () => {
    const limits = analyticsChapters.find(({ id }) => id === 'analytics-limits')?.rules ?? [];
    const name = limits.find(({ id }) => id === ruleId)?.name ?? '';
    expect(name.split(', ').toSorted()).toEqual(paths.toSorted());
  });

  it('are listed in docs/people.md, by their first words', () => {
    const [, list = ''] = sentence.exec(PEOPLE) ?? [];
    const firsts = paths.map((path) => path.split('/')[1] ?? '');
    expect(firsts.filter((first) => !new RegExp(`\\b${first}\\b`).test(list))).toEqual([]);
  });
});
