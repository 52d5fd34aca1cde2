/** What is told of an audience of few people may be hidden. */
import type { Aggregate, RowLevel } from '../registry/index.ts';
import type { ReportRequest } from '../request.ts';
import type { Build } from './build.ts';
import { asked, type Asked } from './parts.ts';
import { peopleNeeds } from './peopleNeeds.ts';
import type { Plan } from './plan.ts';

/**
 * Adds the number of people of a row to what is asked for, where what is told of people is asked for in any way: as a
 * dimension, in a filter or in a segment.
 * @returns of a row or of the totals, whether they are of enough people; null: they need not be
 */
export function enoughPeople(build: Build, plan: Plan, columns: Asked[]): string | null {
  const least = build.context.audienceMinPeople;
  if (least <= 1 || !asksAudience(plan.request)) return null;
  const levels = new Set(columns.filter(({ over }) => over === 'row').map(({ level }) => level));
  const added = [...levels].map((level, index) => asked(plan, peopleOf(level), `p${index}`, ''));
  columns.push(...added);
  // Counted as they are, weights and samples apart.
  const scale = build.context.sampled ? ' / 10' : '';
  return `greatest(${added.map(({ column }) => `${column}${scale}`).join(', ')}) >= ${build.bind(least)}`;
}

function asksAudience(request: ReportRequest): boolean {
  const { attributes, params } = peopleNeeds(request);
  return attributes.length + params.length > 0;
}

const peopleOf = (level: RowLevel): Aggregate => ({
  kind: 'distinct',
  level,
  name: `people of ${level}`,
  entity: ({ person }) => [person],
  isUnweighted: true,
});
