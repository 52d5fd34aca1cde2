/** The filter of a site's visitors, as stored in the address. */
import { limits } from '../apiLimits.ts';
import { periodOf, type Period } from '../period.ts';
import { SOURCE_TYPES, type SourceType } from './recordingFilter.ts';
import { oneOf, textOf } from '../searchValues.ts';

export interface VisitorFilter extends Period {
  /** An id of a visitor or of a user of the site. If present, all other values are ignored. */
  who?: string | undefined;
  goal?: string | undefined;
  source?: SourceType | undefined;
  /** The name of a source. */
  from_source?: string | undefined;
  page?: string | undefined;
}

/** Reads the filter from the query of an address; malformed values are left out. */
export function visitorFilterOf(search: Record<string, unknown>): VisitorFilter {
  return {
    ...periodOf(search),
    compare: undefined,
    who: textOf(search['who'], limits.listVisitors_user_id),
    goal: textOf(search['goal'], limits.listVisitors_goal),
    source: oneOf(SOURCE_TYPES, search['source']),
    from_source: textOf(search['from_source'], limits.listVisitors_source),
    page: textOf(search['page'], limits.listVisitors_page),
  };
}
