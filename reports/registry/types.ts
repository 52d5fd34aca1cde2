/**
 * An identifier of `POST /reports` is one entry of the registry, and the entry is data. The compiler finds out what a
 * report has to read from the columns and terms that the expressions of its entries name.
 */
import type { Sql } from '../sql/index.ts';
import type { Expression } from './terms.ts';

/** The kinds of rows. A person is the user that a visitor is linked to, or else the visitor. */
export type Level = 'visit' | 'hit' | 'goal' | 'order' | 'product' | 'person';

export interface Words {
  en: string;
  ru: string;
}

/**
 * The parameter of an identifier follows its first colon: the key of a param, the code of a goal, or the identifier of
 * an attribute of the audience. For dimensions that take a parameter it is required, for metrics optional.
 */
export type ParamKind = 'key' | 'goal' | 'attribute';

/**
 * The list of names for a dimension's codes (reports/labels/names.ts). Regions and cities located by IP have no ids;
 * their codes are English names.
 */
export type Names =
  | 'continents'
  | 'countries'
  | 'regions_by_name'
  | 'cities_by_name'
  | 'regions'
  | 'cities'
  | 'interests'
  | 'purchase_categories'
  | 'goals';

export type DimensionGroup =
  | 'time'
  | 'source'
  | 'visit'
  | 'technology'
  | 'geography'
  | 'page'
  | 'goal'
  | 'order'
  | 'product'
  | 'audience';

export interface Dimension {
  /** The identifier without its parameter. */
  id: string;
  group: DimensionGroup;
  level: Level;
  /** The type of its codes, for builders of requests: a date picker is useless for texts. */
  type: 'text' | 'number' | 'time';
  label: Words;
  takes: ParamKind | null;
  isTime: boolean;
  /**
   * Set if it is an address, which filters compare decoded: `whole` if it may end with a slash or a query, else `part`.
   */
  address: 'whole' | 'part' | null;
  names: Names | null;
  /**
   * Returns its value for a row, by which rows are grouped and sorted.
   * @param param the parameter; empty if it takes none
   */
  key(param: string): Expression;
  /** Returns the code for a key, as text. */
  text(key: Sql): Sql;
  /** The only type of hits that it is about; null for all types except pings. */
  hitType: 'event' | 'form' | 'outbound' | 'download' | null;
  /** For pages: the columns of a visit that say the same about its first and its last page view. */
  ofEnd: Readonly<Partial<Record<End, Expression>>>;
}

export type End = 'entry' | 'exit';

/** The rows that an aggregate reads. People are counted by their visits. */
export type RowLevel = Exclude<Level, 'person'>;

/** A sum over rows of one level. */
export interface SumAggregate {
  kind: 'sum';
  level: RowLevel;
  /** The weighted amount of a row; null adds nothing to the sum. */
  amount: Expression;
  /** The amount of a hit, for reports that group or filter by pages; the level is then `hit`. */
  ofHits?: Expression;
  /**
   * Set if it counts visits by one of their ends. Hits need not be read if the visit has all that a report needs about
   * the page.
   */
  end?: End;
  /** The condition that the amount of the row is left out because its currency has no rate. */
  isMissing?: Expression;
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
  some?: Expression;
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
   * dimensions of and filters on goals, orders and products. `others`: the row, ignoring its dimension of the audience.
   * `everybody`: all people of the period with the row's value of the audience; `allKnown`: with any value.
   */
  over?: 'visits' | 'others' | 'everybody' | 'allKnown';
};

export type MetricGroup = 'visits' | 'pages' | 'goals' | 'orders' | 'products' | 'audience';

/** A metric for a single visit, without weights, for the conditions of segments; null counts as 0. */
export interface OfVisit {
  /** `visit`: the value is an expression over `v`; else it is an aggregate over the visit's rows of that level. */
  from: RowLevel;
  /**
   * Returns the value.
   * @param param as in the metric
   */
  value(param: string): Expression;
}

/** Terms in the value of a metric: aggregates, and the number of days of the period. */
export type MetricTerm = { readonly name: 'aggregate'; readonly aggregate: Aggregate } | { readonly name: 'days' };

export interface Metric {
  /** The identifier without its parameter. */
  id: string;
  group: MetricGroup;
  level: Level;
  /** `share` is a fraction of 1, `percent` of 100. */
  type: 'count' | 'number' | 'share' | 'money' | 'seconds' | 'percent' | 'index';
  label: Words;
  /** `goal`: with a parameter the metric is about that goal alone. */
  takes: 'goal' | null;
  /**
   * Whether it is a share by an attribute: the report then needs exactly one dimension of the audience, and none of
   * pages, goals, orders or products.
   */
  isByAttribute: boolean;
  ofVisit: OfVisit | null;
  /**
   * Returns its value, over aggregates.
   * @param param the goal; empty for all of them
   */
  value(param: string): Sql<MetricTerm>;
  /** The report has a row wherever this aggregate has one; null: wherever an aggregate of the value has one. */
  rowsOf: Sql<MetricTerm> | null;
}
