/** Goals of a site. */
import { queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { daysOf } from '../period.ts';
import { queryClient } from '../account/queryClient.ts';
import { codeOf, type Report, type ReportRequest } from './reports.ts';

export type Goal = cabinet.Goal;
export type GoalTried = cabinet.GoalTried;

export const goalsQuery = (site: string) =>
  queryOptions({
    queryKey: ['goals', site],
    queryFn: async ({ signal }) => (await api.listGoals({ signal, path: { id: site } })).data.items,
  });

/** Invalidates the goals, and the reports and their fields, which name them. */
export async function refreshGoals(site: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['goals', site] }),
    queryClient.invalidateQueries({ queryKey: ['report-fields', site] }),
    queryClient.invalidateQueries({ queryKey: ['reports', site] }),
  ]);
}

/** Deleted goals have rows too. */
const MAX_ROWS = 1_000;

/**
 * Returns the report of how often each goal was reached in the last 30 days.
 * @param today at the site, YYYY-MM-DD
 */
export function reachedRequest(today: string): ReportRequest {
  const { from, to } = daysOf({ period: '30d' }, today);
  return { dimensions: ['goal'], metrics: ['conversions'], date_from: from, date_to: to, limit: MAX_ROWS };
}

/** Returns conversions by the code of the goal; a goal without any is missing. */
export function reachedByCode({ data }: Report): ReadonlyMap<string, number> {
  return new Map(data.map(({ dimensions: [goal = null], metrics: [count = 0] }) => [codeOf(goal) ?? '', count]));
}
