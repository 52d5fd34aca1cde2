/** The validation of reports accepts everything that the report builder and the segment editor can make. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fieldsOf, REGISTRY_FIELDS } from '../../../api/reports/reportFields.ts';
import * as changes from '../../../cabinet/src/data/report/changes.ts';
import {
  addedTo,
  COMPARISONS,
  conditionsOf,
  conditionsOfRow,
  draftOf,
  EMPTY,
  faultOfDraft,
  JOINS,
  removedAt,
  replacedAt,
  SCOPES,
  type Draft,
  type Group,
  type Leaf,
  type Node,
  type Path,
} from '../../../cabinet/src/data/report/conditions.ts';
import { PRESET_REPORTS, searchOfPreset } from '../../../cabinet/src/data/report/presetReports.ts';
import {
  dimensionOptions,
  metricOptions,
  nameOfCode,
  titleOf,
  type ReportFields,
} from '../../../cabinet/src/data/report/reportFields.ts';
import { refusalOf } from '../../../cabinet/src/data/report/invalidCombinations.ts';
import { isPlainPattern } from '../../../cabinet/src/data/report/plainPattern.ts';
import { contentOf, searchOfSaved } from '../../../cabinet/src/data/report/savedReportAddress.ts';
import {
  ATTRIBUTIONS,
  OPS,
  pageRequestOf,
  reportOf,
  reportSearchOf,
  ROBOTS,
  searchOf,
  stateOf,
  type Filter,
  type ReportState,
} from '../../../cabinet/src/data/report/reportAddress.ts';
import { daysOf, PRESETS } from '../../../cabinet/src/data/period.ts';
import { conditionsFaults, reportFaults } from '../../../reports/validate/index.ts';

const FIELDS: ReportFields = {
  ...REGISTRY_FIELDS,
  ...fieldsOf({ currency: 'RUB' }, { visit: ['plan', 'a:b'], event: ['button'], visitor: ['tier'] }, [
    { code: 'lead', title: 'Lead' },
    { code: 'checkout', title: 'Checkout' },
  ]),
};
const SITE = { timezone: 'Europe/Moscow' };
const NOW = new Date('2026-11-20T09:00:00Z');
const TODAY = '2026-11-20';
const SEGMENT = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';

const dimension = fc.constantFrom(...dimensionOptions(FIELDS).map(({ id }) => id));
const metric = fc.constantFrom(
  ...[null, 'lead', 'checkout'].flatMap((goal) => metricOptions(FIELDS, goal).map(({ id }) => id)),
);
const pattern = fc
  .string({ maxLength: 20, unit: fc.constantFrom(...'ab/я0.*+?|()^$[]-\\dwb{}2') })
  .filter(isPlainPattern);
/** Filters that the form accepts. */
const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ dimension, op: fc.constantFrom('eq', 'neq', 'contains'), values: fc.tuple(fc.string()) }),
  fc.record({
    dimension,
    op: fc.constant('in' as const),
    values: fc.array(fc.string(), { minLength: 1, maxLength: 100 }),
  }),
  fc.record({ dimension, op: fc.constant('regex' as const), values: fc.tuple(pattern) }),
);
const change: fc.Arbitrary<changes.Change> = fc.oneof(
  dimension.map(changes.toggleDimension),
  metric.map(changes.toggleMetric),
  filter.map((one) => changes.putFilter(one)),
  fc.nat(5).map(changes.removeFilter),
  fc.constantFrom(null, SEGMENT).map(changes.chooseSegment),
  fc.constantFrom(...ATTRIBUTIONS).map(changes.chooseAttribution),
  fc.constantFrom(...ROBOTS).map(changes.chooseRobots),
  fc.oneof(dimension, metric).map((id) => changes.sortBy(FIELDS, id)),
  fc.nat(50).map(changes.goToPage),
);

/** Builds as the page does, which ignores impossible changes. */
function build(made: readonly changes.Change[]): ReportState {
  return made.reduce(
    (state, one) => {
      const next = one(state);
      return refusalOf(FIELDS, next) === null ? next : state;
    },
    stateOf(reportSearchOf({})),
  );
}
const state = fc.array(change, { maxLength: 40 }).map(build);

const faultsOf = (report: object) => reportFaults(report, SITE, NOW);

describe('the builder', () => {
  it('builds nothing that reports refuse, whatever users do in whatever order', () => {
    fc.assert(
      fc.property(state, fc.constantFrom(...PRESETS), (made, period) => {
        expect(faultsOf(pageRequestOf(made, daysOf({ period }, TODAY)))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('keeps everything in the address', () => {
    fc.assert(
      fc.property(state, (made) => {
        const read = stateOf(reportSearchOf(JSON.parse(JSON.stringify(searchOf(made))) as Record<string, unknown>));
        expect(reportOf(read, daysOf({}, TODAY))).toEqual(reportOf(made, daysOf({}, TODAY)));
        expect(read.page).toBe(made.page);
      }),
    );
  });

  it('restores what it has saved', () => {
    fc.assert(
      fc.property(state, fc.constantFrom(...PRESETS), (made, period) => {
        const { report, last_days } = contentOf(made, { period }, daysOf({ period }, TODAY));
        const dates = last_days === null ? {} : { date_from: '2026-11-01', date_to: TODAY };
        const saved = { id: SEGMENT, title: 'x', created_at: '', updated_at: '', last_days };
        const opened = searchOfSaved({ ...saved, report: { ...report, ...dates } as never });
        const days = daysOf(opened, TODAY);
        expect(days).toEqual(daysOf({ period }, TODAY));
        expect(reportOf(stateOf(opened), days)).toEqual(reportOf(made, days));
      }),
    );
  });

  it('reads any address into a report that can at least be requested', () => {
    const text = fc.oneof(fc.jsonValue(), fc.constantFrom('source_type', 'visits', 'eq', 'desc'));
    const names = ['by', 'show', 'where', 'segment', 'conditions', 'attribution', 'robots', 'sort', 'page', 'saved'];
    fc.assert(
      fc.property(fc.record(Object.fromEntries(names.map((name) => [name, text]))), (search) => {
        const read = stateOf(reportSearchOf(search));
        expect(read.show.length).toBeGreaterThan(0);
        expect(() => pageRequestOf(read, daysOf({}, TODAY))).not.toThrow();
      }),
    );
  });

  it('says why incompatible choices are disabled', () => {
    const by = (by_: string[], show: string[]): ReportState => ({ by: by_, show, where: [] });
    expect(refusalOf(FIELDS, by(['page_path'], ['visits', 'conversions:lead']))).toEqual({
      why: 'excludes',
      metric: 'conversions:lead',
      dimension: 'page_path',
    });
    expect(refusalOf(FIELDS, by(['date'], ['people_share']))).toEqual({
      why: 'needs_one',
      metric: 'people_share',
      level: 'person',
    });
    expect(refusalOf(FIELDS, by(['gender'], ['people_share']))).toBeNull();
    expect(refusalOf(FIELDS, by([], []))).toEqual({ why: 'no_metric' });
    const all = dimensionOptions(FIELDS).map(({ id }) => id);
    expect(refusalOf(FIELDS, by(all.slice(0, 6), ['visits']))).toEqual({ why: 'too_many', most: 5 });
  });
});

describe('ready-made reports', () => {
  const all = Object.values(PRESET_REPORTS).flatMap((group) => Object.entries(group));
  it.each(all)('have %s, which can be built', (_name, ready) => {
    const made = stateOf(reportSearchOf({ ...searchOfPreset(ready) }));
    expect(refusalOf(FIELDS, made)).toBeNull();
    expect(faultsOf(pageRequestOf(made, daysOf({}, TODAY)))).toEqual([]);
  });
});

describe('a pattern that the page accepts', () => {
  it('is accepted by the server', () => {
    fc.assert(
      fc.property(pattern, (text) => {
        const filters = [{ dimension: 'country', op: 'regex', values: [text] }];
        expect(faultsOf({ metrics: ['visits'], date_from: TODAY, date_to: TODAY, filters })).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['^/catalog/', '(news|blog)$', '\\d+', '[a-z]+\\.html', 'товар'])('may be %s', (text) => {
    expect(isPlainPattern(text)).toBe(true);
  });

  it.each(['(', '*a', '(?=a)', '(?<n>a)', '\\1', 'a{1000}', 'a'.repeat(501)])('may not be %s', (text) => {
    expect(isPlainPattern(text)).toBe(false);
  });
});

describe('the title', () => {
  it.each([
    ['source_type', 'Source type'],
    ['conversions:lead', 'Conversions: Lead'],
    ['conversions:gone', 'Conversions: gone'],
    ['visit_param:a:b', 'Visit param: a:b'],
    ['value_source:visitor_param:tier', 'Source of the value: Visitor param: tier'],
    ['luck', 'luck'],
  ])('of %s is %s', (id, title) => {
    expect(titleOf(FIELDS, id, 'en')).toBe(title);
  });

  it('of a code comes from the dictionary of its dimension', () => {
    expect(nameOfCode(FIELDS, 'company_type', 'sole_proprietor', 'en')).toBe('Sole proprietor');
    expect(nameOfCode(FIELDS, 'company_type', 'sole_proprietor', 'ru')).toBe('Индивидуальный предприниматель');
    for (const [id, code] of [
      ['company_type', 'retail'],
      ['country', 'RU'],
      ['luck', 'x'],
    ] as const)
      expect(nameOfCode(FIELDS, id, code, 'en')).toBeUndefined();
  });
});

const inSegments = FIELDS.metrics.filter(({ in_segments: is }) => is).map(({ id }) => id);
const leaf: fc.Arbitrary<Leaf> = fc.oneof(
  filter.filter(({ values }) => values.some((value) => value !== '')).map((one): Leaf => ({ kind: 'filter', ...one })),
  fc.record({
    kind: fc.constant('metric' as const),
    metric: fc.constantFrom(...inSegments),
    op: fc.constantFrom(...COMPARISONS),
    value: fc.constantFrom('0', '3', ' 2.5', '1,5', '-1'),
  }),
);
const path: fc.Arbitrary<Path> = fc.array(fc.nat(3), { maxLength: 4 });
type Edit = (draft: Draft) => Draft;
const onRoot =
  (edit: (root: Group) => Group): Edit =>
  (draft) => ({ ...draft, root: edit(draft.root) });
const group = fc
  .tuple(fc.constantFrom(...JOINS), leaf)
  .map(([join, one]): Node => ({ kind: 'group', join, members: [one] }));
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(path, fc.oneof(leaf, group)).map(([at, node]) => onRoot((root) => addedTo(root, at, node))),
  path.filter((at) => at.length > 0).map((at) => onRoot((root) => removedAt(root, at))),
  fc
    .tuple(path, fc.constantFrom(...JOINS))
    .map(([at, join]) =>
      onRoot((root) => replacedAt(root, at, (node) => (node.kind === 'group' ? { ...node, join } : node))),
    ),
  fc.constantFrom(...SCOPES).map((scope): Edit => (draft) => ({ ...draft, scope })),
);
const draft = fc.array(edit, { maxLength: 60 }).map((edits) => edits.reduce((made, one) => one(made), EMPTY));

describe('the editor of segments', () => {
  it('saves nothing that is refused', () => {
    fc.assert(
      fc.property(draft, (made) => {
        fc.pre(faultOfDraft(made, FIELDS.limits) === null);
        expect(conditionsFaults(conditionsOf(made), 'segment')).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('finds a draft too deep exactly if it is refused for its depth', () => {
    fc.assert(
      fc.property(draft, (made) => {
        const fault = faultOfDraft(made, FIELDS.limits);
        fc.pre(fault === null || fault === 'too_deep');
        expect(conditionsFaults(conditionsOf(made), 'segment').length > 0).toBe(fault === 'too_deep');
      }),
      { numRuns: 400 },
    );
  });

  it('restores what it has saved', () => {
    fc.assert(
      fc.property(draft, (made) => {
        fc.pre(faultOfDraft(made, FIELDS.limits) === null);
        const stored = conditionsOf(made);
        expect(conditionsOf(draftOf(stored))).toEqual(stored);
      }),
    );
  });

  it.each([
    [{ dimension: 'country', op: 'eq', values: ['RU'] }, { all: [{ dimension: 'country', op: 'eq', values: ['RU'] }] }],
    [
      { scope: 'visitor', not: { all: [{ metric: 'orders', op: 'gt', value: 1 }] } },
      { scope: 'visitor', not: { all: [{ metric: 'orders', op: 'gt', value: 1 }] } },
    ],
    [
      [{ not: { not: { metric: 'orders', op: 'gt', value: 1 } } }],
      { all: [{ not: { not: { metric: 'orders', op: 'gt', value: 1 } } }] },
    ],
  ])('reads what a script has saved (case %#)', (stored, written) => {
    expect(conditionsOf(draftOf(stored as never))).toEqual(written);
  });

  it.each([1e-7, -1e21, 0.5])('accepts the figure of a saved condition however small or large: %d', (value) => {
    expect(faultOfDraft(draftOf([{ metric: 'orders', op: 'gt', value }]), FIELDS.limits)).toBeNull();
  });

  it('turns a row of a report into conditions', () => {
    const where: Filter[] = [{ dimension: 'country', op: 'in', values: ['RU', 'KZ'] }];
    expect(conditionsOfRow(['source_type', 'city', 'goal'], ['ad', null, { id: 'lead', name: 'Lead' }], where)).toEqual(
      [
        { dimension: 'source_type', op: 'eq', values: ['ad'] },
        { dimension: 'goal', op: 'eq', values: ['lead'] },
        ...where,
      ],
    );
  });

  it('supports every operation of filters', () => {
    expect([...OPS].sort()).toEqual(['contains', 'eq', 'in', 'neq', 'regex']);
  });
});
