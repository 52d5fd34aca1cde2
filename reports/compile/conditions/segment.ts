/** A segment as a condition on visits. */
import { COLUMNS } from '../../registry/index.ts';
import type { Condition, Segment } from '../../reportRequest.ts';
import { column, join, references, raw, relation, sql, type Sql } from '../../sql/index.ts';
import { neededJoins, type Join } from '../rows/joins.ts';
import { LINKED, personOf } from '../rows/personOfRow.ts';
import { leafOf, type Detail, type Leaf, type LeafContext } from './segmentLeaf.ts';
import type { DetailLevel } from '../rows/periodRows.ts';

/** The rows that the conditions are about, as written after `from`. */
export interface SegmentRows extends Omit<LeafContext, 'person'> {
  /** All visits that the report may look at, called `v`. */
  visits: Sql;
  /** The visits of the period that `robots` admits, called `v`; visitors are chosen by these. */
  periodVisits: Sql;
  /** Everything that belongs to those visits, called `h`, `c`, `o` or `l`. */
  details(level: DetailLevel): Sql;
}

export interface CompiledSegment {
  /** Joins to `v` that keep one row for each visit. */
  joins: readonly Join[];
  /** A condition on `v` and the joins; null or false for a fact without a visit. */
  predicate: Sql;
  /** A select of the visitors' ids, in brackets; null for a segment of visits. */
  visitors: Sql | null;
}

const DETAIL_LEVELS = ['hit', 'goal', 'order', 'product'] as const satisfies readonly DetailLevel[];
const { visit_id: VISIT_ID, visitor_id: VISITOR_ID } = COLUMNS.visit;

/**
 * Compiles all conditions of a segment. However many conditions are about hits or facts, each table is read once:
 * `segment_<level>` has one row for each visit and one column for each condition. Conditions on visits need no such
 * scan.
 */
export function compileSegment({ scope, condition }: Segment, rows: SegmentRows): CompiledSegment {
  const { person, join: personJoin } = personOf({ visitor: VISITOR_ID });
  const leaves = new Map(leavesOf(condition).map((leaf) => [leaf, leafOf(leaf, { ...rows, person })]));
  const details = [...leaves.values()].filter((leaf) => 'level' in leaf);
  const isTrue = conditionSql(condition, (leaf) => {
    const found = leaves.get(leaf);
    if (found === undefined) throw new Error('the condition belongs to another segment');
    return 'level' in found ? found.isTrue(columnOf(found, details)) : found;
  });
  const joins = DETAIL_LEVELS.flatMap((level) => detailJoin(level, details, rows));
  // With a condition on the person, visits are chosen first: a fact may belong to a different person than its visit.
  if (scope === 'visit' && !references(isTrue, LINKED)) return { joins, predicate: isTrue, visitors: null };
  const isOfVisits = scope === 'visit';
  const id = isOfVisits ? VISIT_ID : VISITOR_ID;
  const from = [isOfVisits ? rows.visits : rows.periodVisits, ...neededJoins([...joins, personJoin], [isTrue])];
  const chosen = relation('segment_chosen', sql`select ${id} from ${join(from, ' ')} where ${isTrue}`);
  const ids = sql`(select ${raw(isOfVisits ? 'visit_id' : 'visitor_id')} from ${chosen})`;
  return { joins: [], predicate: sql`${id} in ${ids}`, visitors: isOfVisits ? null : ids };
}

function leavesOf(condition: Condition): Leaf[] {
  if ('all' in condition) return condition.all.flatMap(leavesOf);
  if ('any' in condition) return condition.any.flatMap(leavesOf);
  return 'not' in condition ? leavesOf(condition.not) : [condition];
}

/** @returns true or false, never null, because it may be below a `not` */
function conditionSql(condition: Condition, leafSql: (leaf: Leaf) => Sql): Sql {
  const groupSql = (members: readonly Condition[], word: string): Sql =>
    sql`(${join(
      members.map((member) => conditionSql(member, leafSql)),
      ` ${word} `,
    )})`;
  if ('all' in condition) return groupSql(condition.all, 'and');
  if ('any' in condition) return groupSql(condition.any, 'or');
  return 'not' in condition ? sql`not ${conditionSql(condition.not, leafSql)}` : leafSql(condition);
}

const relationName = (level: DetailLevel): string => `segment_${level}`;
const columnName = (index: number): string => `c${index}`;

const ofLevel = (level: DetailLevel, details: readonly Detail[]): Detail[] =>
  details.filter((detail) => detail.level === level);

function columnOf(detail: Detail, details: readonly Detail[]): Sql {
  return column(relationName(detail.level), columnName(ofLevel(detail.level, details).indexOf(detail)));
}

/** @returns nothing if no condition is about the level */
function detailJoin(level: DetailLevel, all: readonly Detail[], rows: SegmentRows): Join[] {
  const details = ofLevel(level, all);
  if (details.length === 0) return [];
  const alias = relationName(level);
  const id = COLUMNS[level].visit_id;
  const columns = details.map(({ aggregate }, index) => sql`${aggregate} as ${raw(columnName(index))}`);
  const joined = relation(
    alias,
    sql`select ${join([id, ...columns])} from ${rows.details(level)} where ${rowFilter(details)}${id} is not null group by ${id}`,
  );
  return [{ alias, clause: sql`left join ${joined} on ${column(alias, 'visit_id')} = ${VISIT_ID}`, isNeeded: false }];
}

/** Limits the scan to rows that a condition is about; a metric needs all rows. */
function rowFilter(details: readonly Detail[]): Sql {
  const conditions = details.flatMap(({ isMatch }) => (isMatch === null ? [] : [isMatch]));
  return conditions.length < details.length ? raw('') : sql`(${join(conditions, ' or ')}) and `;
}
