/**
 * Joins the rows of one level with other rows of their visits: if a report counts visits by goal, each visit is joined
 * with the goals that it reached. The other rows are of three kinds: hits, conversions, and orders with their lines.
 */
import { usesTerm, COLUMNS, expressionsOf, isGoal, type Aggregate, type RowLevel } from '../../registry/index.ts';
import { column, join, raw, sql, termsOf, where, type Sql } from '../../sql/index.ts';
import type { Compilation } from '../context/compileContext.ts';
import type { Join } from '../rows/joins.ts';
import type { ResolvedRequest, ResolvedDimension } from '../request/resolvedRequest.ts';
import { detailsOf, periodFacts } from '../rows/periodRows.ts';
import type { TermContext } from '../context/fillTerms.ts';
import { isOf, kindsOf, type Kind } from '../request/rowKinds.ts';
import { detailConditions, seriesColumns, keyCombinations, type Flag } from './keyCombinations.ts';

export interface JoinedKinds {
  joins: Join[];
  /** Kinds that the request only filters by: a condition checks whether the visit has one. */
  filterOnly: Kind[];
  /** Returns whether a dimension is of a different kind from the rows. */
  isForeign(used: ResolvedDimension): boolean;
  /** Returns the key of such a dimension; null for any other. */
  key(used: ResolvedDimension): Sql | null;
  /**
   * Conditions that the visit has a conversion or a purchase: among the joined rows if rows of that kind are joined,
   * else among all rows of the visit.
   */
  terms: Pick<TermContext, 'hasConversion' | 'hasPurchase'>;
}

interface KindsQuery {
  level: RowLevel;
  dimensions: readonly ResolvedDimension[];
  aggregates: readonly Aggregate[];
}

/**
 * Returns the kinds of the request other than the kind of the rows themselves. Orders are joined with their lines if
 * the request asks for products; a line and its order are one row already.
 */
function foreignKinds(resolved: ResolvedRequest, level: RowLevel): Kind[] {
  return kindsOf(resolved).filter((kind) => {
    if (kind === 'sale' && level === 'order')
      return [...resolved.dimensions, ...resolved.filters].some(({ dimension }) => dimension.level === 'product');
    return kind !== (level === 'order' || level === 'product' ? 'sale' : level);
  });
}

/**
 * Returns a condition on the visit.
 * @param visits a relation with the column visit_id
 */
export const visitIn = (visits: Sql): Sql =>
  sql`${COLUMNS.visit.visit_id} in (select visit_id from ${visits} as found)`;

export function joinedKinds(
  compilation: Compilation,
  resolved: ResolvedRequest,
  { level, dimensions, aggregates }: KindsQuery,
): JoinedKinds {
  const kinds = foreignKinds(resolved, level);
  const goals = kinds.includes('goal') ? goalsAskedFor(aggregates) : [];
  const asksPurchase = kinds.includes('sale') && aggregates.some((aggregate) => usesTerm(aggregate, 'hasPurchase'));
  const flags: Readonly<Record<Kind, readonly Flag[]>> = {
    hit: [],
    goal: goals.map((goal, index) => ({ name: `f${index}`, condition: () => isGoal(goal) })),
    sale: asksPurchase ? [{ name: 'f0', condition: isPurchase }] : [],
  };
  const joined = kinds.filter((kind) => level === 'order' || flags[kind].length > 0 || dimensions.some(isOf(kind)));
  return {
    joins: joined.map((kind) => ({
      alias: aliasOf(kind),
      clause:
        level === 'order'
          ? linesOfOrders(compilation, resolved, dimensions)
          : ofVisits(compilation, resolved, kind, dimensions, flags[kind]),
      isNeeded: true,
    })),
    filterOnly: kinds.filter((kind) => !joined.includes(kind)),
    isForeign: (used) => kinds.some((kind) => isOf(kind)(used)),
    key(used) {
      const kind = kinds.find((one) => isOf(one)(used));
      return kind === undefined ? null : column(aliasOf(kind), `d${used.index}`);
    },
    terms: {
      hasConversion: (goal) =>
        kinds.includes('goal') ? column(aliasOf('goal'), `f${goals.indexOf(goal)}`) : hasConversion(compilation, goal),
      hasPurchase: kinds.includes('sale') ? column(aliasOf('sale'), 'f0') : hasPurchase(compilation),
    },
  };
}

const aliasOf = (kind: Kind): string => `${kind}_tuples`;

function goalsAskedFor(aggregates: readonly Aggregate[]): string[] {
  const terms = aggregates.flatMap(expressionsOf).flatMap(termsOf);
  return [...new Set(terms.flatMap((term) => (term.name === 'hasConversion' ? [term.goal] : [])))];
}

const isPurchase = (level: string): Sql =>
  sql`${COLUMNS[level === 'product' ? 'product' : 'order'].status} = 'purchased'`;

function hasConversion(compilation: Compilation, goal: string): Sql {
  const isOfGoal = isGoal(goal, column(null, 'goal'));
  return visitIn(
    sql`(select visit_id from ${detailsOf(compilation, 'goal')} where visit_id is not null and ${isOfGoal})`,
  );
}

function hasPurchase(compilation: Compilation): Sql {
  return visitIn(
    sql`(select visit_id from ${detailsOf(compilation, 'order')} where visit_id is not null and status = 'purchased')`,
  );
}

function ofVisits(
  compilation: Compilation,
  resolved: ResolvedRequest,
  kind: Kind,
  dimensions: readonly ResolvedDimension[],
  flags: readonly Flag[],
): Sql {
  const alias = aliasOf(kind);
  return sql`join ${keyCombinations(compilation, resolved, kind, dimensions, flags)} as ${raw(alias)} on ${column(alias, 'visit_id')} = ${COLUMNS.visit.visit_id}`;
}

/** Joins orders with the distinct combinations of keys of their lines. */
function linesOfOrders(
  compilation: Compilation,
  resolved: ResolvedRequest,
  dimensions: readonly ResolvedDimension[],
): Sql {
  const ofLine = ({ dimension }: Pick<ResolvedDimension, 'dimension'>): boolean => dimension.level === 'product';
  const columns = seriesColumns(compilation, dimensions.filter(ofLine));
  const conditions = detailConditions(compilation, [], resolved.filters.filter(ofLine));
  const { transaction_id: id, status } = COLUMNS.order;
  const lines = sql`select distinct ${join([raw('transaction_id'), raw('status'), ...columns])} from ${periodFacts(compilation, 'product')} as l${where(conditions)}`;
  return sql`join (${lines}) as sale_tuples on sale_tuples.transaction_id = ${id} and sale_tuples.status = ${status}`;
}
