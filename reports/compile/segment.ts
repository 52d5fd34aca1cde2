/** The conditions of a segment as SQL. */
import {
  attributeOf,
  findDimension,
  findMetric,
  type Dimension,
  type RowLevel,
  type Terms,
} from '../registry/index.ts';
import type { Condition, Filter, MetricCondition, Segment } from '../request.ts';
import { COMPARE, matches, type Bind } from './match.ts';
import { isAsked, personOf } from './people.ts';
import { LETTER } from './sources.ts';

type DetailLevel = Exclude<RowLevel, 'visit'>;
const DETAIL_LEVELS = ['hit', 'goal', 'order', 'product'] as const satisfies readonly DetailLevel[];

/** What conditions are asked of: rows as they stand after `from`. */
export interface SegmentRows {
  bind: Bind;
  /** @param param of the identifier whose expression it is for */
  terms(level: RowLevel, param: string): Terms;
  /** Visits as `v`: all that the report may look at. */
  visits: string;
  /** Visits as `v`: those of the period that `robots` lets in, by which visitors are chosen. */
  periodVisits: string;
  /** Rows as `h`, `c`, `o`, `l`: all that those visits may have. */
  details(level: DetailLevel): string;
}

export interface CompiledSegment {
  /** In this order, before whatever uses the predicate. */
  ctes: readonly { name: string; sql: string }[];
  /** Joins to `v` that the predicate needs; no visit becomes two by them. */
  joins: readonly string[];
  /** Over `v` and its joins; null or false of a fact without a visit. */
  predicate: string;
}

/**
 * Conditions on hits and facts are worked out by one pass over each table, whatever their number: a column of
 * `segment_<level>` for each, a row for each visit. Conditions on visits alone need no pass of their own.
 */
export function compileSegment({ scope, condition }: Segment, rows: SegmentRows): CompiledSegment {
  const details = new Details(rows);
  const isTrue = conditionSql(condition, rows, details);
  // A fact may be of another person than its visit.
  if (scope === 'visit' && !details.areOfPersons)
    return { ctes: details.ctes(), joins: details.joins(), predicate: isTrue };
  const visits = scope === 'visit' ? rows.visits : rows.periodVisits;
  const id = scope === 'visit' ? 'visit_id' : 'visitor_id';
  const chosen = `select v.${id} from ${[visits, ...details.joins()].join(' ')} where ${isTrue}`;
  return {
    ctes: [...details.ctes(), { name: 'segment_chosen', sql: chosen }],
    joins: [],
    predicate: `v.${id} in (select ${id} from segment_chosen)`,
  };
}

/** True or false, never null: it may stand below a `not`. */
function conditionSql(condition: Condition, rows: SegmentRows, details: Details): string {
  const groupSql = (members: readonly Condition[], word: string): string =>
    `(${members.map((member) => conditionSql(member, rows, details)).join(` ${word} `)})`;
  if ('all' in condition) return groupSql(condition.all, 'and');
  if ('any' in condition) return groupSql(condition.any, 'or');
  if ('not' in condition) return `not ${conditionSql(condition.not, rows, details)}`;
  return 'metric' in condition ? metricSql(condition, rows, details) : filterSql(condition, rows, details);
}

function filterSql(filter: Filter, rows: SegmentRows, details: Details): string {
  const found = findDimension(filter.dimension);
  if (found === null) throw new Error(`no dimension ${filter.dimension}`);
  const { dimension, param } = found;
  if (dimension.level === 'person') return personSql(dimension, param, filter, rows, details);
  const isMatch = `coalesce(${matches(dimension, dimension.key(rows.terms(dimension.level, param)), filter, rows.bind)}, false)`;
  if (dimension.level === 'visit') return isMatch;
  const ofHits = dimension.hitType === null ? `h.type <> 'ping'` : `h.type = '${dimension.hitType}'`;
  return details.any(dimension.level, dimension.level === 'hit' ? `${ofHits} and ${isMatch}` : isMatch);
}

/** By sets of persons: who has several values is in the set of each. */
function personSql(
  dimension: Dimension,
  param: string,
  filter: Filter,
  { terms, bind }: SegmentRows,
  details: Details,
): string {
  const person = details.person();
  const asked = isAsked(attributeOf(dimension, param), bind);
  const key = dimension.key(
    Object.create(terms('visit', param), { told: { value: { value: 'value', source: 'source' } } }) as Terms,
  );
  const isTold = `${person} in (select person from told_values where ${asked} and ${matches(dimension, key, filter, bind)})`;
  if (filter.op !== 'neq') return isTold;
  return `(${isTold} or ${person} not in (select person from told_values where ${asked}))`;
}

function metricSql({ metric, op, value }: MetricCondition, rows: SegmentRows, details: Details): string {
  const found = findMetric(metric);
  const ofVisit = found?.metric.ofVisit ?? null;
  if (found === null || ofVisit === null) throw new Error(`no metric of a visit: ${metric}`);
  const amount = ofVisit.sql(rows.terms(ofVisit.from, found.param));
  const ofRow = ofVisit.from === 'visit' ? amount : details.total(ofVisit.from, amount);
  // As text: whole numbers beyond BIGINT cannot be bound as they are.
  return `coalesce(${ofRow}, 0) ${COMPARE[op]} ${rows.bind(String(value))}::DOUBLE`;
}

/** What conditions have to know of a visit's hits and facts, and of its person. */
class Details {
  readonly #rows: SegmentRows;
  readonly #columns = new Map<DetailLevel, string[]>();
  /** Rows that a level's conditions are about; all of them where a metric counts. */
  readonly #wanted = new Map<DetailLevel, string[]>();
  readonly #counted = new Set<DetailLevel>();
  #person: { join: string; person: string } | null = null;

  constructor(rows: SegmentRows) {
    this.#rows = rows;
  }

  get areOfPersons(): boolean {
    return this.#person !== null;
  }

  /** Whether one of the visit's rows meets the condition. */
  any(level: DetailLevel, isMatch: string): string {
    this.#wanted.set(level, [...(this.#wanted.get(level) ?? []), isMatch]);
    return `coalesce(${this.#column(level, `bool_or(${isMatch})`)}, false)`;
  }

  /** An aggregate over the visit's rows; null where there are none. */
  total(level: DetailLevel, aggregate: string): string {
    this.#counted.add(level);
    return this.#column(level, aggregate);
  }

  person(): string {
    this.#person ??= personOf({ visitor: 'v.visitor_id' });
    return this.#person.person;
  }

  ctes(): { name: string; sql: string }[] {
    return this.#levels().map((level) => ({ name: `segment_${level}`, sql: this.#cte(level) }));
  }

  joins(): string[] {
    const joins = this.#levels().map((level) => `left join segment_${level} on segment_${level}.visit_id = v.visit_id`);
    return [...joins, ...(this.#person === null ? [] : [this.#person.join])];
  }

  #levels(): DetailLevel[] {
    return DETAIL_LEVELS.filter((level) => this.#columns.has(level));
  }

  #column(level: DetailLevel, aggregate: string): string {
    const columns = this.#columns.get(level) ?? [];
    this.#columns.set(level, [...columns, aggregate]);
    return `segment_${level}.c${columns.length}`;
  }

  #cte(level: DetailLevel): string {
    const columns = (this.#columns.get(level) ?? []).map((aggregate, index) => `${aggregate} as c${index}`);
    const wanted = this.#counted.has(level) ? '' : `(${(this.#wanted.get(level) ?? []).join(' or ')}) and `;
    const id = `${LETTER[level]}.visit_id`;
    return `select ${id}, ${columns.join(', ')} from ${this.#rows.details(level)} where ${wanted}${id} is not null group by ${id}`;
  }
}
