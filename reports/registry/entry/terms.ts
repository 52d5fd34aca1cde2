/**
 * Terms that an expression of the registry may name beside columns. The compiler replaces each by SQL that depends on
 * the place.
 */
import type { TrafficSource } from '../../../domain/sites/trafficSource.ts';
import { open, type Sql } from '../../sql/index.ts';

export type RowTerm =
  | { readonly name: 'rowTime' }
  | { readonly name: 'local'; readonly utc: Sql }
  | { readonly name: 'source'; readonly field: keyof TrafficSource }
  | { readonly name: 'attribute'; readonly field: 'value' | 'source' }
  | { readonly name: 'person' }
  | { readonly name: 'hasConversion'; readonly goal: string }
  | { readonly name: 'hasPurchase' }
  | { readonly name: 'money'; readonly amount: Sql; readonly currency: Sql };

/** SQL over the columns of a row and the terms of this file. */
export type Expression = Sql<RowTerm>;

/** The time of the row in the site's time zone: the start of a visit, or a fact's own time. */
export const ROW_TIME: Expression = open({ name: 'rowTime' });
/**
 * The person of the row, as a UUID: the user that its visitor is linked to, or else the visitor. A fact's own user
 * takes precedence.
 */
export const PERSON: Expression = open({ name: 'person' });
/** The person's value of the request's audience dimension, and its source (user, site, network). */
export const ATTRIBUTE_VALUE: Expression = open({ name: 'attribute', field: 'value' });
export const ATTRIBUTE_SOURCE: Expression = open({ name: 'attribute', field: 'source' });
/** Whether the row's visit has a purchase at any time. */
export const HAS_PURCHASE: Expression = open({ name: 'hasPurchase' });

/**
 * Returns whether the row's visit has a conversion at any time.
 * @param goal the code of a goal; empty for any goal
 */
export const hasConversion = (goal: string): Expression => open({ name: 'hasConversion', goal });

/** Returns a time in UTC, converted to the site's time zone. */
export const local = (utc: Sql): Expression => open({ name: 'local', utc });

/** Returns a field of the visit's source, by the attribution of the request. */
export const source = (field: keyof TrafficSource): Expression => open({ name: 'source', field });

/** Returns an amount in the site's currency as DECIMAL(24,6); null if its currency has no rate. */
export const money = (amount: Sql, currency: Sql): Expression => open({ name: 'money', amount, currency });
