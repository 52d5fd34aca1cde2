/** Compares docs/reports.md with the registry and the limits. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DIMENSIONS, isCompatible, METRICS, type Dimension, type Metric } from '../../reports/registry/index.ts';
import { REPORT_LIMITS } from '../../reports/validate/reportLimits.ts';

let text: string;
beforeAll(async () => {
  text = await readFile(join(import.meta.dirname, '../../docs/reports.md'), 'utf8');
});

/** Returns the rows of the first table of a chapter. */
const rowsOf = (chapter: string): string[][] => {
  const [, body = ''] = text.split(`## ${chapter}\n`);
  const [table = ''] = body.trimStart().split('\n\n');
  return table
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
};
const idsIn = (cell: string): string[] => [...cell.matchAll(/`([a-z0-9_]+)(?::<\w+>)?`/g)].map(([, id = '']) => id);
/** Returns groups and identifiers from the document. */
const listed = (chapter: string): [string, string[]][] =>
  rowsOf(chapter).map(([group = '', cell = '']) => [/^\w+/.exec(group)?.[0] ?? '', idsIn(cell)]);
const registered = (entries: readonly (Dimension | Metric)[]): [string, string[]][] =>
  [...new Set(entries.map(({ group }) => group))].map((group) => [
    group,
    entries.filter((entry) => entry.group === group).map(({ id }) => id),
  ]);

describe('docs/reports.md', () => {
  it('lists the existing dimensions, in their groups, with their parameters', () => {
    expect(listed('Dimensions')).toEqual(registered(DIMENSIONS));
    const parameterised = [...text.matchAll(/`([a-z_]+):<(?:key|attribute)>`/g)].map(([, id]) => id);
    expect(new Set(parameterised)).toEqual(new Set(DIMENSIONS.filter(({ takes }) => takes).map(({ id }) => id)));
  });

  it('lists the existing metrics, in their groups', () => {
    expect(listed('Metrics')).toEqual(registered(METRICS));
    expect(METRICS.filter(({ takes }) => takes === 'goal').map(({ group }) => group)).toEqual(
      METRICS.filter(({ group }) => group === 'goals').map(({ group }) => group),
    );
  });

  it('says for each group of metrics which dimensions are incompatible', () => {
    const excluded = (group: string): string[] => {
      const metric = METRICS.find((entry) => entry.group === group);
      if (!metric) throw new Error(`there is no metric of ${group}`);
      return [
        ...new Set(
          DIMENSIONS.filter((dimension) => !isCompatible(metric, [dimension])).map((dimension) => dimension.group),
        ),
      ];
    };
    expect(
      Object.fromEntries(['goals', 'orders', 'products', 'pages', 'visits'].map((group) => [group, excluded(group)])),
    ).toEqual({
      goals: ['page', 'order', 'product'],
      orders: ['page', 'goal'],
      products: ['page', 'goal'],
      pages: ['goal', 'order', 'product'],
      visits: [],
    });
    for (const line of [
      '| goals | page, order, product |',
      '| orders, products | page, goal |',
      '| pages | goal, order, product |',
    ])
      expect(text).toContain(line);
  });

  it('has the limits of the product', () => {
    const {
      dimensions,
      metrics,
      filters,
      sorts,
      filterValues,
      rows,
      defaultRows,
      months,
      segmentLeaves,
      segmentDepth,
    } = REPORT_LIMITS;
    expect([
      dimensions,
      metrics,
      filters,
      sorts,
      filterValues,
      rows,
      defaultRows,
      months,
      segmentLeaves,
      segmentDepth,
    ]).toEqual([5, 10, 20, 3, 100, 10_000, 100, 25, 50, 4]);
    for (const words of [
      'more than 5, 10, 20, 3',
      '`in` up to 100',
      '1 to 10,000, by default 100',
      'at most 25 months',
      'Up to 50 conditions, groups up to four deep',
    ])
      expect(text).toContain(words);
  });
});
