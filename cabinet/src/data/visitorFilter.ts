/** The filter of a site's visitors, as stored in the address. */
import { periodOf, type Period } from './period.ts';
import { SOURCE_TYPES, type SourceType } from './recordingFilter.ts';
import { oneOf, textOf } from './searchValues.ts';

export interface VisitorFilter extends Period {
  /** An id of a visitor or of a user of the site. If present, all other values are ignored. */
  who?: string | undefined;
  goal?: string | undefined;
  source?: SourceType | undefined;
  /** The name of a source. */
  from_source?: string | undefined;
  page?: string | undefined;
}

/** Maximum lengths in the API. */
export const LONGEST = { who: 191, goal: 64, source: 500, page: 2048 } as const;

/** Reads the filter from the query of an address; malformed values are left out. */
export function visitorFilterOf(search: Record<string, unknown>): VisitorFilter {
  return {
    ...periodOf(search),
    compare: undefined,
    who: textOf(search['who'], LONGEST.who),
    goal: textOf(search['goal'], LONGEST.goal),
    source: oneOf(SOURCE_TYPES, search['source']),
    from_source: textOf(search['from_source'], LONGEST.source),
    page: textOf(search['page'], LONGEST.page),
  };
}
