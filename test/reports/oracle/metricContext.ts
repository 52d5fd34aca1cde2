/** What a metric is computed from. */
import type { VisitRow } from '../../../domain/lakeRows.ts';
import type { Money } from '../../../domain/refunds.ts';
import type { Base, Tuple } from './tuple.ts';
import type { SiteView } from './world.ts';

export type Group = Readonly<Record<Base, readonly Tuple[]>>;

export interface AudienceContext {
  /** What the audience dimension says of a row, and where it is from; null where the request has none, or several. */
  told: ((tuple: Tuple) => { label: string | null; source: string | null }) | null;
  /** Of the row: its value; undefined in the totals. */
  label: string | null | undefined;
  /** The rows of the other dimensions, whatever the audience dimension says. */
  others: () => readonly Tuple[];
  /** Of the whole period: no filters, no segment. */
  everybody: () => readonly Tuple[];
}

export interface MetricContext {
  view: SiteView;
  money: Money;
  /** Of the period. */
  days: number;
  /** Whether a dimension or filter looks at hits. */
  seesHits: boolean;
  /** 1 for each in conditions of segments. */
  weightOf(row: { weight: number }): number;
  /** Visits of the row whatever its goal or order is. */
  wideVisits(): readonly VisitRow[];
  audience: AudienceContext;
  /** Told of each amount that is left out. */
  onMissingRate(): void;
}
