/** Goals: each metric of all of them, or of the one that follows its colon. */
import type { Aggregate, Metric } from '../types.ts';
import { amountRatio, distinct, isGoal, metric, ratio, sum } from './define.ts';
import { allVisitors, allVisits } from './visits.ts';

const conversions = (goal: string): Aggregate =>
  sum('goal', `conversions ${goal}`, (terms) => `case when ${isGoal(terms)} then c.weight end`);
const value = (goal: string): Aggregate =>
  sum('goal', `conversion_value ${goal}`, (terms) => `case when ${isGoal(terms)} then c.weight * c.value end`);
const convertedVisits = (goal: string): Aggregate =>
  distinct('goal', `converted_visits ${goal}`, 'c.visit_id', { where: isGoal });
/** Visitors, else users. */
const convertedVisitors = (goal: string): Aggregate =>
  distinct(
    'goal',
    `converted_visitors ${goal}`,
    () => ['c.visitor_id', 'case when c.visitor_id is null then c.user_id end'],
    { where: isGoal },
  );
/** Of visits of the period, whenever the conversion came. */
const reachingVisits = (goal: string): Aggregate =>
  sum('visit', `reaching_visits ${goal}`, (terms) => `case when ${terms.reached(terms.param)} then v.weight end`);
const reachingVisitors = (goal: string): Aggregate =>
  distinct('visit', `reaching_visitors ${goal}`, 'v.visitor_id', { some: (terms) => terms.reached(terms.param) });

type Given = Omit<Parameters<typeof metric>[0], 'group' | 'level' | 'takes'>;
const of = (given: Given): Metric => metric({ group: 'goals', level: 'goal', takes: 'goal', ...given });

export const GOALS: readonly Metric[] = [
  of({
    id: 'conversions',
    type: 'count',
    label: { en: 'Conversions', ru: 'Достижения целей' },
    ofVisit: { from: 'goal', sql: (terms) => `count(*) filter (where ${isGoal(terms)})` },
    sql: (use, { param }) => use(conversions(param)),
  }),
  of({
    id: 'converted_visits',
    type: 'count',
    label: { en: 'Visits with a conversion', ru: 'Целевые визиты' },
    sql: (use, { param }) => use(convertedVisits(param)),
  }),
  of({
    id: 'converted_visitors',
    type: 'count',
    label: { en: 'Visitors with a conversion', ru: 'Целевые посетители' },
    sql: (use, { param }) => use(convertedVisitors(param)),
  }),
  of({
    id: 'conversion_rate',
    type: 'share',
    label: { en: 'Conversion rate', ru: 'Конверсия визитов' },
    sql: (use, { param }) => ratio(use(reachingVisits(param)), use(allVisits)),
  }),
  of({
    id: 'visitor_conversion_rate',
    type: 'share',
    label: { en: 'Conversion rate of visitors', ru: 'Конверсия посетителей' },
    sql: (use, { param }) => ratio(use(reachingVisitors(param)), use(allVisitors)),
  }),
  of({
    id: 'conversion_value',
    type: 'money',
    label: { en: 'Value of conversions', ru: 'Ценность целей' },
    ofVisit: { from: 'goal', sql: (terms) => `sum(c.value) filter (where ${isGoal(terms)})` },
    sql: (use, { param }) => use(value(param)),
  }),
  of({
    id: 'value_per_conversion',
    type: 'money',
    label: { en: 'Value per conversion', ru: 'Ценность достижения' },
    sql: (use, { param }) => amountRatio(use(value(param)), use(conversions(param))),
  }),
];
