/**
 * An identifier of `POST /reports` is one entry of the registry, and the entry is data. The compiler finds out what a
 * report has to read from the columns and terms that the expressions of its entries name.
 */
import type { Language } from '../../../domain/language.ts';
import type { Sql } from '../../sql/index.ts';
import type { Aggregate } from './aggregates.ts';
import type { End, Level, RowLevel } from './levels.ts';
import type { Expression } from './terms.ts';

/** A text in each language. */
export type LocalizedText = Readonly<Record<Language, string>>;

/**
 * The parameter of an identifier follows its first colon: the key of a param, the code of a goal, or the identifier of
 * an attribute of the audience. For dimensions that take a parameter it is required, for metrics optional.
 */
export type ParamKind = 'key' | 'goal' | 'attribute';

/**
 * The list of names for a dimension's codes (reports/labels/codeNames.ts). Regions and cities located by IP have no
 * ids; their codes are English names.
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
  label: LocalizedText;
  takes: ParamKind | null;
  isTime: boolean;
  /**
   * Set if it is an address, which filters compare decoded: `whole` if it may end with a slash or a query, else `part`.
   */
  address: 'whole' | 'part' | null;
  names: Names | null;
  /**
   * The names of its codes where rows show the codes themselves, because the specification allows labels `{id, name}`
   * only for places, interests, categories and goals. The cabinet shows these names.
   */
  codeNames: ReadonlyMap<string, LocalizedText> | null;
  /**
   * Returns its value for a row, by which rows are grouped and sorted.
   * @param param the parameter; empty if it takes none
   */
  key(param: string): Expression;
  /** Returns the code for a key, as text. */
  text(key: Sql): Sql;
  /** The only type of hits that it is about; null for all types except pings. */
  hitType: 'event' | 'form' | 'outbound' | 'download' | null;
  /**
   * For dimensions of pages: the columns of a visit with the dimension's value for its first and its last page
   * view.
   */
  keyAtEnd: Readonly<Partial<Record<End, Expression>>>;
}

export type MetricGroup = 'visits' | 'pages' | 'goals' | 'orders' | 'products' | 'audience';

/** A metric for a single visit, without weights, for the conditions of segments; null counts as 0. */
export interface PerVisitMetric {
  /** `visit`: the value is an expression over `v`; else it is an aggregate over the visit's rows of that level. */
  level: RowLevel;
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
  label: LocalizedText;
  /** `goal`: with a parameter the metric is about that goal alone. */
  takes: 'goal' | null;
  /**
   * Whether it is a share by an attribute: the report then needs exactly one dimension of the audience, and none of
   * pages, goals, orders or products.
   */
  isByAttribute: boolean;
  perVisit: PerVisitMetric | null;
  /**
   * Returns its value, over aggregates.
   * @param param the goal; empty for all of them
   */
  value(param: string): Sql<MetricTerm>;
  /** The report has a row wherever this aggregate has one; null: wherever an aggregate of the value has one. */
  rowsOf: Sql<MetricTerm> | null;
}
