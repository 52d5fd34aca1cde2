/** Rows of an audience of few people may be hidden. */
import type { Aggregate, RowLevel } from '../registry/index.ts';
import type { Build } from './build.ts';
import { asked, type Asked } from './parts.ts';
import type { Plan } from './plan.ts';

/**
 * Adds the number of people of a row to what is asked for.
 * @returns which rows are shown; null: all
 */
export function people(build: Build, plan: Plan, columns: Asked[]): string | null {
  const least = build.context.audienceMinPeople;
  if (least <= 1 || !plan.dimensions.some(({ dimension }) => dimension.level === 'person')) return null;
  const levels = new Set(columns.filter(({ over }) => over === 'row').map(({ level }) => level));
  const added = [...levels].map((level, index) => asked(plan, peopleOf(level), `p${index}`, ''));
  columns.push(...added);
  // Counted as they are, weights and samples apart.
  const scale = build.context.sampled ? ' / 10' : '';
  return `greatest(${added.map(({ column }) => `${column}${scale}`).join(', ')}) >= ${build.bind(least)}`;
}

const peopleOf = (level: RowLevel): Aggregate => ({ kind: 'distinct', level, name: `people of ${level}`, entity: ({ person }) => [person], isUnweighted: true });
