/**
 * Metrics are computed from aggregates. Where a site's quota samples visitors, a row stands for several, and their
 * number is its weight (domain/collect/hitsOverQuota.ts): sums add weighted amounts, and an entity counts once, with its
 * weight. It is computed in compile/scans/twoStepScan.ts. A report of a tenth of the visitors is scaled up in
 * compile/scaleSample.ts.
 */
import type { Sql } from '../../sql/index.ts';
import type { End, RowLevel } from './levels.ts';
import type { Expression } from './terms.ts';

/** A sum over rows of one level. */
export interface SumAggregate {
  kind: 'sum';
  level: RowLevel;
  /** The weighted amount of a row; null adds nothing to the sum. */
  amount: Expression;
  /** The amount of a hit, for reports that group or filter by pages; the level is then `hit`. */
  hitAmount?: Expression;
  /**
   * Set if it counts visits by their entry or exit. Hits need not be read if the visit has all that a report needs
   * about the page.
   */
  end?: End;
  /** The condition that the amount of the row is left out because its currency has no rate. */
  isRateMissing?: Expression;
}

/** A number of entities, such as visitors. Each counts with its least weight above 0. */
export interface DistinctAggregate {
  kind: 'distinct';
  level: RowLevel;
  /** The values that identify an entity; a row where all of them are null belongs to none. */
  entity: readonly Expression[];
  /** A condition on rows: others are ignored. */
  where?: Expression;
  /**
   * A condition that one of an entity's rows has to meet. The entity's weight is still the least of all its rows, so a
   * share is never over 1.
   */
  whereAny?: Expression;
  /** Whether each entity counts as one, regardless of its weight. */
  isUnweighted?: boolean;
  /** The column of the user that a row names, if that user is counted and not the visitor's current user. */
  namedUser?: Sql;
}

export type Aggregate = (SumAggregate | DistinctAggregate) & {
  /** A unique name, including the goal if there is one: metrics that use the same aggregate share its column. */
  name: string;
  /**
   * The rows that the aggregate is computed over; by default the row itself. `visits`: all visits of the row, ignoring
   * its dimensions and filters that concern goals, orders and products. `others`: the row, ignoring its dimension of
   * the audience. `everybody`: all people of the period with the row's value of the audience; `allKnown`: with any
   * value.
   */
  population?: 'visits' | 'others' | 'everybody' | 'allKnown';
};
