/** One row before it is grouped: of what it is, and all that its dimensions look at. */
import type { ConversionRow, HitRow, OrderLineRow, OrderRow, VisitRow } from '../../../domain/lakeRows.ts';
import type { Attribution } from '../../../reports/request.ts';
import type { HeldValue } from './world.ts';

/** What the rows of a report are made of. */
export const BASES = ['visit', 'hit', 'conversion', 'order', 'line'] as const;
export type Base = (typeof BASES)[number];

export interface Tuple {
  /** When it counts: the start of a visit, or a fact's own time. */
  at: number;
  visit: VisitRow | null;
  hit: HitRow | null;
  conversion: ConversionRow | null;
  order: OrderRow | null;
  line: OrderLineRow | null;
  person: string | null;
  /** By attribute (and param), the value that the row is about; null: none is known. */
  told: ReadonlyMap<string, HeldValue | null>;
}

export type Fact = ConversionRow | OrderRow | OrderLineRow;

/** What a label depends on besides its row. */
export interface LabelContext {
  timezone: string;
  attribution: Attribution;
}
