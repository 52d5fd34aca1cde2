/** The hits of the period. If a metric needs it, page views get columns about the other hits of their visit. */
import { SCROLL, SEQUENCE } from '../../registry/index.ts';
import { call, column, columnsIn, raw, relation, sql, type Sql } from '../../sql/index.ts';
import type { Compilation } from '../context/compileContext.ts';
import { detailsOf } from './periodRows.ts';

/** The derived columns that are needed. They need sorted hits, which costs more than the rest of a report. */
export interface HitNeeds {
  /** Whether columns derived from the order of page views are needed. */
  sequence: boolean;
  /** Whether the column scroll_depth is needed. */
  scroll: boolean;
}

/** Finds the derived columns that expressions name. */
export function hitNeedsOf(expressions: readonly Sql<unknown>[]): HitNeeds {
  const named = new Set(expressions.flatMap(columnsIn).flatMap(({ of, name }) => (of === 'h' ? [name] : [])));
  return { sequence: SEQUENCE.some((name) => named.has(name)), scroll: SCROLL.some((name) => named.has(name)) };
}

export function periodHits(compilation: Compilation, { sequence, scroll }: HitNeeds): Sql {
  const hits = detailsOf(compilation, 'hit');
  if (!sequence && !scroll) return hits;
  const types = raw(scroll ? `('pageview', 'scroll')` : `('pageview')`);
  const views = sql`(select * from ${hits} as hits where type in ${types})`;
  const scrolled = scroll ? withScroll(views) : views;
  return relation(
    'period_hits',
    sql`from ${sequence ? withSequence(scrolled) : scrolled} union all by name from ${hits} where type not in ${types}`,
  );
}

const AT = column(null, 'at');

/** Page views of a visit are sorted by time, then by id. */
const withSequence = (hits: Sql): Sql => sql`(
  select *, lag(${AT}) over views is null as is_entrance, lead(${AT}) over views as next_at, next_at is null as is_exit
    from ${hits} window views as (partition by visit_id, type = 'pageview' order by ${AT}, hit_id))`;

/** Within a visit, the hash of an address identifies it. */
const PAGE = call('hash', raw('page_url'));

/**
 * Adds `scroll_depth`: the deepest scroll between a page view and the next one of the same address.
 * @param hits page views and scrolls
 */
export const withScroll = (hits: Sql): Sql => sql`(
  select *, coalesce(max(depth) filter (where type = 'scroll') over (partition by visit_id, ${PAGE}, view_number), 0) as scroll_depth
    from (select *, count(*) filter (where type = 'pageview') over (partition by visit_id, ${PAGE} order by ${AT}, hit_id rows unbounded preceding) as view_number from ${hits}))`;
