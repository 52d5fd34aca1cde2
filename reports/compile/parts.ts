/** Aggregates of a request, sorted into as few passes over rows as there can be. */
import type { Aggregate, DistinctAggregate, End, HitColumns, RowLevel, Terms } from '../registry/index.ts';
import type { Build } from './build.ts';
import { isOfEnd, planOfEnd } from './ends.ts';
import { hasLevel, type Plan, type Used } from './plan.ts';
import { isOf, kindsOf } from './tuples.ts';
import { relationOf, type Over, type Relation } from './relation.ts';
import type { ReportSegment } from './reportSegment.ts';

/** An aggregate that a metric of the request uses: its column is `a<number>`. */
export interface Asked {
  aggregate: Aggregate;
  level: RowLevel;
  over: Over;
  column: string;
  /** Of the metric. */
  param: string;
  /** Counted by visits, pages being those of one end of theirs. */
  end: End | null;
}

export interface Part {
  over: Over;
  /** Those that it is grouped by. */
  dimensions: readonly Used[];
  columns: readonly string[];
  /** Columns `d<index>` and `a<number>`, one row for each combination that occurs. */
  rows: string;
  /** The same columns `a<number>` and `missing_rate` over everything. */
  total: string;
}

/** Page views and hits are those of pages where pages are asked for; rates are of the very rows where nothing is to be left out of them. */
export function asked(plan: Plan, aggregate: Aggregate, column: string, param: string): Asked {
  if (aggregate.kind === 'sum' && aggregate.ofHits !== undefined && hasLevel(plan, 'hit')) {
    return { aggregate: { ...aggregate, sql: aggregate.ofHits }, level: 'hit', over: 'row', column, param, end: null };
  }
  if (aggregate.kind === 'sum' && aggregate.end !== undefined && isOfEnd(plan, aggregate.end)) {
    const { name, end } = aggregate;
    return {
      aggregate: { kind: 'sum', name, level: 'visit', sql: () => 'v.weight' },
      level: 'visit',
      over: 'row',
      column,
      param,
      end,
    };
  }
  const isOfAll = aggregate.over === 'visits' && !hasLevel(plan, 'goal', 'order', 'product');
  return {
    aggregate,
    level: aggregate.level,
    over: isOfAll ? 'row' : (aggregate.over ?? 'row'),
    column,
    param,
    end: null,
  };
}

export function partsOf(build: Build, plan: Plan, segment: ReportSegment | null, all: readonly Asked[]): Part[] {
  const hitColumns = new Set(
    all.flatMap(({ aggregate }) => (aggregate.kind === 'sum' && aggregate.hitColumns ? [aggregate.hitColumns] : [])),
  );
  const parts: Part[] = [];
  for (const group of grouped(all, ({ level, over, end }) => `${level} ${over} ${end}`)) {
    const asksTold = group.some(isOfTold);
    const ofGroup = planOfEnd(plan, group[0]?.end ?? null);
    for (const members of byEntity(build, ofGroup, segment, group, asksTold)) {
      parts.push(
        partOf(
          build,
          ofGroup,
          segment,
          { members, hitColumns, asksTold: asksTold && members.some(isDistinct) },
          parts.length,
        ),
      );
    }
  }
  return parts;
}

const isDistinct = ({ aggregate }: Asked): boolean => aggregate.kind === 'distinct';
const isOfTold = ({ aggregate }: Asked): boolean => aggregate.kind === 'distinct' && aggregate.isOfTold === true;

/** From so many on, sums kept beside each person cost more than a second look at the visits (docs/performance.md). */
const MANY_SUMS = 3;

/**
 * One pass counts one kind of entity; sums go along with the first, but many of visits, which are found without a join.
 * Nor where it looks at what is told: somebody with several values is there several times, which does no harm to
 * counting him.
 */
function byEntity(
  build: Build,
  plan: Plan,
  segment: ReportSegment | null,
  group: readonly Asked[],
  asksTold: boolean,
): Asked[][] {
  const [first] = group;
  if (first === undefined) return [];
  const relation = relationOf(build, plan, segment, {
    level: first.level,
    over: first.over,
    dimensions: [],
    asksTold,
    hitColumns: new Set(),
    end: first.end,
  });
  const sums = group.filter(({ aggregate }) => aggregate.kind === 'sum');
  const entity = ({ aggregate, param }: Asked): string =>
    aggregate.kind === 'distinct' ? aggregate.entity(relation.terms(param)).join() : '';
  const [firstEntity = [], ...others] = grouped(
    group.filter(isDistinct),
    (one) => `${namedUserOf(build, [one])} ${entity(one)}`,
  );
  const isApart =
    asksTold ||
    namedUserOf(build, firstEntity) !== null ||
    (sums.length >= MANY_SUMS && first.level === 'visit' && kindsOf(plan).length === 0);
  const passes = isApart ? [sums, firstEntity, ...others] : [[...sums, ...firstEntity], ...others];
  return passes.filter(({ length }) => length > 0);
}

/** Users whom rows name themselves are in a sample of persons by themselves, and other rows than their visitors' count. */
function namedUserOf({ sample }: Build, members: readonly Asked[]): string | null {
  const [found] = members.flatMap(({ aggregate }) =>
    aggregate.kind === 'distinct' && aggregate.namedUser !== undefined ? [aggregate.namedUser] : [],
  );
  return sample === 'persons' ? (found ?? null) : null;
}

function grouped<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}

interface Pass {
  members: readonly Asked[];
  hitColumns: ReadonlySet<HitColumns>;
  asksTold: boolean;
}

function partOf(
  build: Build,
  plan: Plan,
  segment: ReportSegment | null,
  { members, hitColumns, asksTold }: Pass,
  number: number,
): Part {
  const [first] = members;
  if (first === undefined) throw new Error('a part of nothing');
  const { over } = first;
  const dimensions = plan.dimensions.filter(isGroupedOver(over));
  const relation = (of: readonly Used[]): Relation =>
    relationOf(build, plan, segment, {
      level: first.level,
      over,
      dimensions: of,
      asksTold,
      hitColumns,
      end: first.end,
      namedUser: namedUserOf(build, members),
    });
  const stage = (name: string, of: readonly Used[]): Stage => {
    const rows = relation(of);
    const keys = of.map((used) => ({ sql: rows.key(used), column: `d${used.index}` }));
    // A key that tells entities apart is not grouped by twice.
    const entities = entityOf(rows, members).map(
      (sql, index) => keys.find((key) => key.sql === sql) ?? { sql, column: `e${index}` },
    );
    const sql = stageSql(rows, keys, entities, members);
    return {
      name: build.cte(name, () => sql),
      entities: entities.map(({ column }) => column),
      isByEntity: keys.every((key) => entities.includes(key)),
      isFanned: rows.isFanned,
    };
  };
  const byKeys = stage(`part${number}`, dimensions);
  // Who is there with several keys counts once in all of them.
  const whole = byKeys.isFanned && dimensions.length > 0 ? stage(`whole${number}`, []) : byKeys;
  return {
    over,
    dimensions,
    columns: members.map(({ column }) => column),
    rows: rowsSql(byKeys, dimensions, members),
    total: totalSql(whole, members),
  };
}

/** A common table expression with a row for each combination of keys and each entity. */
interface Stage {
  name: string;
  /** Its columns that tell entities apart; none where nobody is counted. */
  entities: readonly string[];
  /** Whether each entity has one row: no keys, or only such as tell entities apart themselves. */
  isByEntity: boolean;
  isFanned: boolean;
}

/** What an aggregate that is not of the row is grouped by. */
const isGroupedOver =
  (over: Over) =>
  (used: Used): boolean => {
    if (over === 'visits') return !isOf('goal')(used) && !isOf('sale')(used);
    if (over === 'others') return used.dimension.level !== 'person';
    if (over === 'everybody') return used.dimension.level === 'person';
    return over === 'row';
  };

interface Column {
  sql: string;
  column: string;
}

/** One row for each combination of keys and, where entities are counted, each entity with its least weight. */
function stageSql(
  relation: Relation,
  keys: readonly Column[],
  entities: readonly Column[],
  members: readonly Asked[],
): string {
  const groups = [...new Set([...keys, ...entities])];
  const amounts = members.flatMap(({ aggregate, column, param }) => {
    const terms = relation.terms(param);
    if (aggregate.kind === 'sum') return [`sum(${aggregate.sql(terms)}) as ${column}`];
    const weight = `${least(aggregate, terms, relation)} as ${column}`;
    return aggregate.some === undefined ? [weight] : [weight, `bool_or(${aggregate.some(terms)}) as ${someOf(column)}`];
  });
  // Without keys rows are counted, to see whether there are any.
  const columns = [
    ...groups.map(({ sql, column }) => `${sql} as ${column}`),
    ...amounts,
    ...missing(relation, members),
    ...(keys.length === 0 ? ['count(*) as n'] : []),
  ];
  return `select ${columns.join(', ')} ${relation.from(columns)}${groupBy(groups.length)}`;
}

/** By place: an expression may have bound values, each time others to DuckDB. */
const groupBy = (columns: number): string =>
  columns === 0 ? '' : ` group by ${Array.from({ length: columns }, (_, index) => index + 1).join(', ')}`;

function entityOf(relation: Relation, members: readonly Asked[]): readonly string[] {
  const counted = members.find(({ aggregate }) => aggregate.kind === 'distinct');
  return counted?.aggregate.kind === 'distinct' ? counted.aggregate.entity(relation.terms(counted.param)) : [];
}

/** The column that says whether one of an entity's rows is what it has to be. */
const someOf = (column: string): string => `${column}_some`;

const hasSome = ({ aggregate }: Asked): boolean => aggregate.kind === 'distinct' && aggregate.some !== undefined;

function least(
  aggregate: DistinctAggregate,
  terms: Terms,
  { weight, isCounted }: Pick<Relation, 'weight' | 'isCounted'>,
): string {
  const own = aggregate.where?.(terms);
  const condition = isCounted === null ? own : `${isCounted}${own === undefined ? '' : ` and (${own})`}`;
  const where = condition === undefined ? '' : ` filter (where ${condition})`;
  return `min(${aggregate.isUnweighted === true ? '1' : `nullif(${weight}, 0)`})${where}`;
}

const mayMiss = (members: readonly Asked[]): boolean =>
  members.some(({ aggregate }) => aggregate.kind === 'sum' && aggregate.isMissing !== undefined);

function missing(relation: Relation, members: readonly Asked[]): string[] {
  const flags = members.flatMap(({ aggregate, param }) =>
    aggregate.kind === 'sum' && aggregate.isMissing ? [`(${aggregate.isMissing(relation.terms(param))})`] : [],
  );
  return flags.length === 0 ? [] : [`bool_or(${flags.join(' or ')}) as missing_rate`];
}

function rowsSql({ name, entities }: Stage, dimensions: readonly Used[], members: readonly Asked[]): string {
  const keys = dimensions.map(({ index }) => `d${index}`);
  // Without keys there is a row when anything is counted.
  const end = keys.length === 0 ? ' having sum(n) > 0' : groupBy(keys.length);
  return `select ${[...keys, ...members.map((one) => summed(one, entities))].join(', ')} from ${name}${end}`;
}

/** Sums are those of all rows; entities are put together first, whatever keys they are there with. */
function totalSql({ name, entities, isByEntity }: Stage, members: readonly Asked[]): string {
  const missed = mayMiss(members) ? 'coalesce(bool_or(missing_rate), false)' : 'false';
  if (entities.length === 0)
    return `select ${[...members.map((one) => summed(one, entities)), `${missed} as missing_rate`].join(', ')} from ${name}`;
  const sums = members.filter((one) => !isDistinct(one));
  const counted = members.filter(isDistinct);
  const merged = counted.flatMap((one) => [
    `min(${one.column}) as ${one.column}`,
    ...(hasSome(one) ? [`bool_or(${someOf(one.column)}) as ${someOf(one.column)}`] : []),
  ]);
  const each = isByEntity
    ? name
    : `(select ${[...entities, ...merged].join(', ')} from ${name}${groupBy(entities.length)})`;
  const people = `select ${counted.map((one) => summed(one, entities)).join(', ')} from ${each}`;
  const added =
    sums.length === 0
      ? 'select false as missing_rate'
      : `select ${[...sums.map((one) => summed(one, entities)), `${missed} as missing_rate`].join(', ')} from ${name}`;
  return `select people.*, added.* from (${people}) as people, (${added}) as added`;
}

/** Of entities, those that are somebody. */
function summed(asked: Asked, entities: readonly string[]): string {
  const { aggregate, column } = asked;
  const isSome = hasSome(asked) ? ` and ${someOf(column)}` : '';
  const somebody =
    aggregate.kind === 'distinct'
      ? ` filter (where (${entities.map((entity) => `${entity} is not null`).join(' or ')})${isSome})`
      : '';
  return `sum(${column})${somebody} as ${column}`;
}
