/** Visitors of a site. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { pagesQuery } from '../paginatedList.ts';
import { daysOf, momentOfDay, plusDays, todayIn } from '../period.ts';
import { queryClient } from '../account/queryClient.ts';
import { isUuidInAnyCase } from '../uuid.ts';
import type { VisitorFilter } from './visitorFilter.ts';

export type Visitor = cabinet.Visitor;
export type VisitorDetail = cabinet.VisitorDetail;
export type Visit = cabinet.VisitorVisit;

/**
 * The query for visitors.
 * @param timezone of the site, in which its days begin
 */
export const visitorsQuery = (site: string, filter: VisitorFilter, timezone: string) => ({
  ...pagesQuery(['visitors', site, 'list', JSON.stringify(filter), timezone], ({ signal, query }) =>
    listVisitors(site, filter, { signal, query: { ...queryOf(filter, timezone), ...query } }),
  ),
  placeholderData: keepPreviousData,
});

type ListQuery = NonNullable<cabinet.ListVisitorsData['query']>;

/** A user's id may have the form of a visitor's: a user is looked for if there is no such visitor. */
async function listVisitors(
  site: string,
  { who }: VisitorFilter,
  { signal, query }: { signal: AbortSignal; query: ListQuery },
) {
  const { visitor, ...page } = query;
  const path = { id: site };
  const asked = await api.listVisitors({ signal, path, query });
  if (who === undefined || visitor === undefined || asked.data.items.length > 0) return asked;
  return api.listVisitors({ signal, path, query: { ...page, user_id: who } });
}

function queryOf({ who, goal, source, from_source: name, page, ...period }: VisitorFilter, timezone: string) {
  if (who !== undefined) return isUuidInAnyCase(who) ? { visitor: who } : { user_id: who };
  const { from, to } = daysOf(period, todayIn(timezone));
  return {
    since: momentOfDay(from, timezone),
    until: momentOfDay(plusDays(to, 1), timezone),
    ...(goal !== undefined && { goal }),
    ...(source && { source_type: source }),
    ...(name !== undefined && { source: name }),
    ...(page !== undefined && { page }),
  };
}

export const visitorQuery = (site: string, visitor: string) =>
  queryOptions({
    queryKey: ['visitors', site, visitor],
    queryFn: async ({ signal }) => (await api.getVisitor({ signal, path: { id: site, visitor_id: visitor } })).data,
  });

/** Invalidates the visitors of a site. */
export async function refreshVisitors(site: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['visitors', site] });
}
