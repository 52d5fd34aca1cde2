/** One row before grouping: its base, and all values that its dimensions use. */
import type { ConversionRow, HitRow, OrderLineRow, OrderRow, VisitRow } from '../../../../domain/reports/lakeRows.ts';
import type { Attribution } from '../../../../reports/reportRequest.ts';
import type { EffectiveValue } from '../world/world.ts';

/** The kinds of rows that a report is made of. */
export const BASES = ['visit', 'hit', 'conversion', 'order', 'line'] as const;
export type Base = (typeof BASES)[number];

export interface Tuple {
  /** The time by which it counts: the start of a visit, or a fact's own time. */
  at: number;
  visit: VisitRow | null;
  hit: HitRow | null;
  conversion: ConversionRow | null;
  order: OrderRow | null;
  line: OrderLineRow | null;
  person: string | null;
  /** By attribute (and param), the row's value; null: unknown. */
  attributes: ReadonlyMap<string, EffectiveValue | null>;
}

export type Fact = ConversionRow | OrderRow | OrderLineRow;

/** The data, besides the row itself, on which a label depends. */
export interface LabelContext {
  timezone: string;
  attribution: Attribution;
}
