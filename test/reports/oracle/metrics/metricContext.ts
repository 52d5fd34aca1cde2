/** The input of a metric. */
import type { VisitRow } from '../../../../domain/reports/lakeRows.ts';
import type { Money } from '../../../../domain/orders/refunds.ts';
import type { Base, Tuple } from './tuple.ts';
import type { SiteView } from '../world/world.ts';

export type Group = Readonly<Record<Base, readonly Tuple[]>>;

export interface AudienceContext {
  /**
   * The audience dimension's value of a row and its source; null where the request has no such dimension, or
   * several.
   */
  told: ((tuple: Tuple) => { label: string | null; source: string | null }) | null;
  /** The row's value of that dimension; undefined in the totals. */
  label: string | null | undefined;
  /** The rows with the same values of the other dimensions, and any value of the audience dimension. */
  others: () => readonly Tuple[];
  /** All rows of the period, without filters and segment. */
  everybody: () => readonly Tuple[];
}

export interface MetricContext {
  view: SiteView;
  money: Money;
  /** Number of days in the period. */
  days: number;
  /** Whether a dimension or filter uses hits. */
  seesHits: boolean;
  /** Always 1 in conditions of segments. */
  weightOf(row: { weight: number }): number;
  /** Returns the visits that match the row in all dimensions except those of goals, orders and products. */
  wideVisits(): readonly VisitRow[];
  audience: AudienceContext;
  /** Called for each amount that is left out. */
  onMissingRate(): void;
}
