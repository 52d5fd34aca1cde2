/** Settings of a site's overview, as stored in the address. */
import { periodOf, type Period } from '../../../data/period.ts';
import { oneOf } from '../../../data/searchValues.ts';
import { siteFilterOf, type SiteFilter } from '../../../data/sites/siteFilter.ts';
import { FIGURES, type Figure } from './figures/figures.ts';
import { LIST_NAMES, LISTS, type ListDimension, type ListName } from './lists.ts';

export type ChosenLists = { [List in ListName]?: ListDimension | undefined };

export interface OverviewSearch extends Period, SiteFilter, ChosenLists {
  /** The figure in the chart. */
  figure?: Figure | undefined;
}

export function overviewSearchOf(search: Record<string, unknown>): OverviewSearch {
  const lists = LIST_NAMES.map((list) => [list, LISTS[list].find((one: ListDimension) => one === search[list])]);
  return {
    ...periodOf(search),
    figure: oneOf(FIGURES, search['figure']),
    ...(Object.fromEntries(lists) as ChosenLists),
    ...siteFilterOf(search),
  };
}
