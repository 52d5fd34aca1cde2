/** Goals. Each metric is about all goals, or about the one that follows its colon. */
import { sql } from '../../sql/index.ts';
import { c, v } from '../entry/columns.ts';
import { hasConversion } from '../entry/terms.ts';
import type { Metric } from '../entry/types.ts';
import {
  amountIf,
  amountRatio,
  countIf,
  distinct,
  isGoal,
  metric,
  ratio,
  sum,
  sumIf,
  type Figure,
} from './defineMetric.ts';
import { allVisitors, allVisits } from './visits.ts';

const conversions = (goal: string): Figure => sum('goal', `conversions ${goal}`, amountIf(isGoal(goal), c.weight));
const value = (goal: string): Figure =>
  sum('goal', `conversion_value ${goal}`, amountIf(isGoal(goal), sql`${c.weight} * ${c.value}`));
const convertedVisits = (goal: string): Figure =>
  distinct('goal', `converted_visits ${goal}`, c.visit_id, { where: isGoal(goal) });
/** Visitors, or users if a conversion has no visitor. */
const convertedVisitors = (goal: string): Figure =>
  distinct(
    'goal',
    `converted_visitors ${goal}`,
    [c.visitor_id, sql`case when ${c.visitor_id} is null then ${c.user_id} end`],
    { where: isGoal(goal) },
  );
/** Visits of the period that have a conversion at any time. */
const reachingVisits = (goal: string): Figure =>
  sum('visit', `reaching_visits ${goal}`, amountIf(hasConversion(goal), v.weight));
const reachingVisitors = (goal: string): Figure =>
  distinct('visit', `reaching_visitors ${goal}`, v.visitor_id, { whereAny: hasConversion(goal) });

type MetricOptions = Omit<Parameters<typeof metric>[0], 'group' | 'level' | 'takes'>;
const goalMetric = (given: MetricOptions): Metric => metric({ group: 'goals', level: 'goal', takes: 'goal', ...given });

export const GOALS: readonly Metric[] = [
  goalMetric({
    id: 'conversions',
    type: 'count',
    label: { en: 'Conversions', ru: 'Достижения целей' },
    perVisit: { level: 'goal', value: (goal) => countIf(isGoal(goal)) },
    value: conversions,
  }),
  goalMetric({
    id: 'converted_visits',
    type: 'count',
    label: { en: 'Visits with a conversion', ru: 'Целевые визиты' },
    value: convertedVisits,
  }),
  goalMetric({
    id: 'converted_visitors',
    type: 'count',
    label: { en: 'Visitors with a conversion', ru: 'Целевые посетители' },
    value: convertedVisitors,
  }),
  goalMetric({
    id: 'conversion_rate',
    type: 'share',
    label: { en: 'Conversion rate', ru: 'Конверсия визитов' },
    value: (goal) => ratio(reachingVisits(goal), allVisits),
  }),
  goalMetric({
    id: 'visitor_conversion_rate',
    type: 'share',
    label: { en: 'Visitor conversion rate', ru: 'Конверсия посетителей' },
    value: (goal) => ratio(reachingVisitors(goal), allVisitors),
  }),
  goalMetric({
    id: 'conversion_value',
    type: 'money',
    label: { en: 'Conversion value', ru: 'Ценность целей' },
    perVisit: { level: 'goal', value: (goal) => sumIf(isGoal(goal), c.value) },
    value,
  }),
  goalMetric({
    id: 'value_per_conversion',
    type: 'money',
    label: { en: 'Value per conversion', ru: 'Ценность достижения' },
    value: (goal) => amountRatio(value(goal), conversions(goal)),
  }),
];
