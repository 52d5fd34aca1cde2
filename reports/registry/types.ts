/** What is known of an identifier of `POST /reports`: all of it in its one entry. */

/** Of what there is one row each: a person is the user that a visitor is linked to, else the visitor. */
export type Level = 'visit' | 'hit' | 'goal' | 'order' | 'product' | 'person';

export interface Words {
  en: string;
  ru: string;
}

/**
 * What follows an identifier after its first colon: the key of a param, the code of a goal, or an attribute of the
 * audience (its identifier). A dimension that takes one does not go without, a metric does.
 */
export type ParamKind = 'key' | 'goal' | 'attribute';

/** What gives the name for a code (reports/labels/names.ts). Regions and cities by IP have no ids: their codes are English names. */
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

/** What an expression of SQL may ask for while it is compiled. */
export interface Terms {
  /** What follows the identifier's colon; empty where nothing does. */
  param: string;
  /** A value that is bound: returns its placeholder. */
  bind(value: string | number): string;
  /** A TIMESTAMP in UTC as the site's wall clock shows it. */
  local(utc: string): string;
  /** When the row is, as the site's wall clock shows it: the start of a visit, or the own time of a fact. */
  localTime: string;
  /** The STRUCT of the visit's source by the attribution that is asked for. */
  source: string;
  /** Of a dimension of the audience: the value that the row's person has, and who told it (user, site, network). */
  told: { value: string; source: string };
  /** Who the row is of: the user that its visitor is linked to, else the visitor; of a fact its own user first. UUID. */
  person: string;
  /** Whether the row's visit has a conversion, of a goal where one is named, whenever it came. */
  reached(goal: string): string;
  /** Whether the row's visit has a purchase, whenever it came. */
  bought(): string;
  /** An amount in the site's currency as DECIMAL(24,6); null without a rate. */
  money(amount: string, currency: string): string;
}

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
  /** Without its parameter. */
  id: string;
  group: DimensionGroup;
  level: Level;
  /** What its codes are, for whoever builds requests: a chooser of days is of no use for texts. */
  type: 'text' | 'number' | 'time';
  label: Words;
  takes: ParamKind | null;
  isTime: boolean;
  /** For addresses, which filters compare decoded: `whole` if it may end with a slash or a query, else `part`. */
  address: 'whole' | 'part' | null;
  names: Names | null;
  /**
   * Its value of a row, which is sorted and grouped by: an expression over `v` (visit), `h` (hit), `c` (conversion),
   * `o` (order) or `l` (line of an order), of the audience over {@link Terms.told}.
   */
  key(terms: Terms): string;
  /** The code that the key stands for, as VARCHAR. */
  text(key: string): string;
  /** The only type of hits that it is of; null: of all but pings. */
  hitType: 'event' | 'form' | 'outbound' | 'download' | null;
  /** Of pages: what a visit knows of its first and its last page view by itself, over `v`. */
  ofEnd: Readonly<Partial<Record<End, string>>>;
}

export type End = 'entry' | 'exit';

/** Of which rows an aggregate is: people are counted by their visits. */
export type RowLevel = Exclude<Level, 'person'>;

/** A sum over rows of one level: its expression is over the letters as in {@link Dimension}. */
export interface SumAggregate {
  kind: 'sum';
  level: RowLevel;
  /** The weighted amount of a row; null adds nothing. */
  sql(terms: Terms): string;
  /** The same of hits, where pages are grouped or filtered by: its level is then `hit`. */
  ofHits?(terms: Terms): string;
  /** What `h` has to have beside the columns of hits: see reports/compile/sources.ts. */
  hitColumns?: HitColumns;
  /** It counts visits by one of their ends: where no more is asked of the page than the visit knows, hits need not be read for it. */
  end?: End;
  /** Whether an amount of a row is left out, for want of a rate. */
  isMissing?(terms: Terms): string;
}

/** `sequence`: is_entrance, is_exit and next_at (null of the last) of page views; `scroll`: their scroll_depth. */
export type HitColumns = 'sequence' | 'scroll';

/** Entities, each with the least of its weights above 0. */
export interface DistinctAggregate {
  kind: 'distinct';
  level: RowLevel;
  /** Columns that tell one from another; nobody where all of them are null. */
  entity(terms: Terms): readonly string[];
  /** The rows that make it count; all when it is not given. */
  where?(terms: Terms): string;
  /** What one of its rows has to meet for it to count, with the least weight of them all: so a share is never over 1. */
  some?(terms: Terms): string;
  /** Whether it looks at what is told of the person; who has several values is in several of its rows. */
  isOfTold?: boolean;
  /** Each for one, whatever it stands for. */
  isUnweighted?: boolean;
  /** The column of the user whom a row names itself, where he counts before whoever its visitor is now. */
  namedUser?: string;
}

export type Aggregate = (SumAggregate | DistinctAggregate) & {
  /** Unique: two metrics that use the same aggregate share its column. With its goal where it has one. */
  name: string;
  /**
   * What is counted over, the row when it is not given. `visits`: all visits of the row's other dimensions, whatever
   * goal, order or product is grouped or filtered by. `others`: everybody of the row's dimensions but that of the
   * audience. `everybody`: all people of the period with the row's value of the audience; `allKnown` with any value.
   */
  over?: 'visits' | 'others' | 'everybody' | 'allKnown';
};

export type MetricGroup = 'visits' | 'pages' | 'goals' | 'orders' | 'products' | 'audience';

/** A metric of one visit, unweighted, for the conditions of segments: 0 where there is nothing. */
export interface OfVisit {
  /** `visit`: an expression over `v`; else an aggregate over the rows of that level that are of the visit. */
  from: Exclude<Level, 'person'>;
  sql(terms: Terms): string;
}

/** Gives the SQL name of an aggregate's value in a row, and sees to it that it is there. */
export type Use = (aggregate: Aggregate) => string;

export interface Metric {
  /** Without its parameter. */
  id: string;
  group: MetricGroup;
  level: Level;
  /** `share` is a fraction of 1, `percent` of 100. */
  type: 'count' | 'number' | 'share' | 'money' | 'seconds' | 'percent' | 'index';
  label: Words;
  /** A goal, and then the metric is of that goal alone. */
  takes: 'goal' | null;
  /** Whether it is a share by an attribute: it needs exactly one dimension of the audience, and none of pages, goals, orders or products. */
  isByAttribute: boolean;
  ofVisit: OfVisit | null;
  /** Its value in a row, over aggregates. */
  sql(use: Use, terms: MetricTerms): string;
}

/** What a metric may ask for besides aggregates. */
export interface MetricTerms {
  param: string;
  /** Days of the period. */
  days: number;
}
