/** One level's rows, joined with all that a request asks of them. */
import type { Aggregate, End, HitColumns, RowLevel, Terms } from '../registry/index.ts';
import type { Build } from './build.ts';
import { matches } from './match.ts';
import { personOf } from './people.ts';
import type { Plan, Used, UsedFilter } from './plan.ts';
import type { ReportSegment } from './reportSegment.ts';
import { sampledRows } from './sample.ts';
import {
  detailsOf,
  factVisits,
  formerRobotVisits,
  LETTER,
  periodFacts,
  periodHits,
  periodVisits,
  robotVisits,
  uncountedVisits,
  type FactLevel,
} from './sources.ts';
import { clockOf, termsOf } from './terms.ts';
import { toldFilter, toldJoin, toldKey, type ToldJoin } from './told.ts';
import { detailConditions, isOf, kindsOf, tuples, visitsOfKind, type Flag, type Kind } from './tuples.ts';

export type Over = NonNullable<Aggregate['over']> | 'row';

export interface RelationOptions {
  level: RowLevel;
  over: Over;
  /** Those whose keys will be asked for. */
  dimensions: readonly Used[];
  /** Whether what is told of the person is looked at beside the keys. */
  asksTold: boolean;
  hitColumns: ReadonlySet<HitColumns>;
  /** Of visits: those that have such an end alone. */
  end: End | null;
  /** What is counted is the user whom this column names: in a sample rows of his are there too. */
  namedUser?: string | null;
}

export interface Relation {
  /** Of one row. */
  weight: string;
  /** Whether a row is of somebody in the sample, where that is not so of all; null: of all. */
  isCounted: string | null;
  /** Whether a row of the level may be there more than once, each time with other keys. */
  isFanned: boolean;
  key(used: Used): string;
  terms(param: string): Terms;
  /** What stands after the columns of a select. @param columns all of them: of a visit that none of them names only is asked whether it counts */
  from(columns: readonly string[]): string;
}

const isFact = (level: RowLevel): level is FactLevel => level !== 'visit' && level !== 'hit';
const NO_FILTERS: readonly string[] = ['everybody', 'allKnown'];

export function relationOf(
  build: Build,
  whole: Plan,
  segment: ReportSegment | null,
  options: RelationOptions,
): Relation {
  const { level, over, dimensions, asksTold } = options;
  const plan = planOver(whole, over);
  const letter = LETTER[level];
  const kinds = foreignKinds(plan, level);
  const clock = clockOf(build, isFact(level) ? `${letter}."at"` : 'v.started_at', build.period);
  const { join: personJoin, person } = personOf({
    visitor: isFact(level) ? `${letter}.visitor_id` : 'v.visitor_id',
    ...(isFact(level) && { user: `${letter}.user_id` }),
  });
  const told = toldJoins(build, plan, person, [...dimensions, ...(asksTold ? whole.dimensions : [])]);
  const [onlyTold] = told.values();
  const flags = new Map<Kind, Flag[]>();
  const sample = sampledRows(build, level, options.namedUser ?? null);
  let needsPerson = told.size > 0 || plan.filters.some(({ dimension }) => dimension.level === 'person');

  const flag = (kind: Kind, sql: Flag['sql']): string => {
    const known = flags.get(kind) ?? [];
    const name = `f${known.length}`;
    flags.set(kind, [...known, { name, sql }]);
    return `${kind}_tuples.${name}`;
  };
  const visitIn = (rows: string): string => `v.visit_id in (select visit_id from ${rows} as found)`;
  /** Else the visit is only asked whether it has such a one. */
  const isJoined = (kind: Kind): boolean => level === 'order' || flags.has(kind) || dimensions.some(isOf(kind));
  const given = {
    localTime: clock,
    reached: (goal: string) => {
      const isGoal = (row: string): string => (goal === '' ? 'true' : `${row}goal = ${build.bind(goal)}`);
      return kinds.includes('goal')
        ? flag('goal', () => isGoal('c.'))
        : visitIn(`(select visit_id from ${detailsOf(build, 'goal')} where visit_id is not null and ${isGoal('')})`);
    },
    bought: () =>
      kinds.includes('sale')
        ? flag('sale', (row) => `${row}.status = 'purchased'`)
        : visitIn(
            `(select visit_id from ${detailsOf(build, 'order')} where visit_id is not null and status = 'purchased')`,
          ),
  };

  return {
    weight: `${letter}.weight`,
    isCounted: sample?.isCounted ?? null,
    isFanned:
      dimensions.some(({ dimension }) => dimension.level === 'person') ||
      asksTold ||
      kinds.some((kind) => dimensions.some(isOf(kind))),
    terms: (param) =>
      Object.create(termsOf(build, param, { ...given, ...(onlyTold && { told: onlyTold.told }) }), {
        // Whoever asks who somebody is needs the links.
        person: {
          get: () => {
            needsPerson = true;
            return person;
          },
        },
      }) as Terms,
    key(used) {
      const { dimension, param, index } = used;
      const kind = kinds.find((one) => isOf(one)(used));
      if (kind !== undefined && dimension.level !== level) return `${kind}_tuples.d${index}`;
      const toldOfIt = dimension.level === 'person' ? told.get(toldKey(used))?.told : undefined;
      return dimension.key(termsOf(build, param, { localTime: clock, ...(toldOfIt && { told: toldOfIt }) }));
    },
    from(columns) {
      const joins = [
        ...(sample === null ? [] : [sample.join]),
        ...(segment === null || NO_FILTERS.includes(over) ? [] : segment.joins),
        ...kinds.filter(isJoined).map((kind) => kindJoin(build, plan, level, kind, dimensions, flags.get(kind) ?? [])),
        ...(needsPerson ? [personJoin] : []),
        ...[...told.values()].map(({ join }) => join),
      ];
      const where = [
        ...(sample === null ? [] : [sample.where]),
        ...conditions(build, plan, segment, options, clock),
        ...kinds.filter((kind) => !isJoined(kind)).map((kind) => visitIn(visitsOfKind(build, plan, kind))),
        ...toldConditions(build, plan, person, told),
      ];
      const asksVisit = [...columns, ...joins, ...where].some((sql) => NAMES_VISIT.test(sql));
      const all = [...where, ...(asksVisit ? robotConditions(build, level) : [])];
      return `from ${[...base(build, plan, options, asksVisit), ...joins].join(' ')}${all.length === 0 ? '' : ` where ${all.join(' and ')}`}`;
    },
  };
}

/** Values are bound, so that nothing else in a statement looks like it. */
const NAMES_VISIT = /\bv\./;

/** What of a request holds for an aggregate that is not of the row. */
function planOver(plan: Plan, over: RelationOptions['over']): Plan {
  if (over === 'visits') {
    const isKept = (entry: Pick<Used, 'dimension'>): boolean => !isOf('goal')(entry) && !isOf('sale')(entry);
    return { ...plan, dimensions: plan.dimensions.filter(isKept), filters: plan.filters.filter(isKept) };
  }
  return NO_FILTERS.includes(over) ? { ...plan, filters: [] } : plan;
}

/** Kinds whose rows are not the level's own: an order's own lines are joined as tuples too, lines with their order are one row. */
function foreignKinds(plan: Plan, level: RowLevel): Kind[] {
  return kindsOf(plan).filter((kind) => {
    if (kind === 'sale' && level === 'order')
      return [...plan.dimensions, ...plan.filters].some(({ dimension }) => dimension.level === 'product');
    return kind !== (level === 'order' || level === 'product' ? 'sale' : level);
  });
}

function kindJoin(
  build: Build,
  plan: Plan,
  level: RowLevel,
  kind: Kind,
  dimensions: readonly Used[],
  flags: readonly Flag[],
): string {
  if (level === 'order') return linesOfOrders(build, plan, dimensions);
  return `join ${tuples(build, plan, kind, dimensions, flags)} as ${kind}_tuples on ${kind}_tuples.visit_id = v.visit_id`;
}

/** Of an order with its lines: each combination once. Its own dimensions come along, for a key is one of either. */
function linesOfOrders(build: Build, plan: Plan, dimensions: readonly Used[]): string {
  const ofLine = plan.filters.filter(({ dimension }) => dimension.level === 'product');
  const columns = dimensions
    .filter(({ dimension }) => dimension.level === 'product')
    .map(({ dimension, param, index }) => `${dimension.key(termsOf(build, param, {}))} as d${index}`);
  const where = detailConditions(build, [], ofLine);
  const lines = `select distinct ${['transaction_id', 'status', ...columns].join(', ')} from ${periodFacts(build, 'product')} as l${where.length === 0 ? '' : ` where ${where.join(' and ')}`}`;
  return `join (${lines}) as sale_tuples on sale_tuples.transaction_id = o.transaction_id and sale_tuples.status = o.status`;
}

/** The level's rows with their visits; where nothing is asked of those, without the rows of visits that do not count, which are few. */
function base(build: Build, plan: Plan, { level, hitColumns }: RelationOptions, asksVisit: boolean): string[] {
  if (level === 'visit') return [`${periodVisits(build)} as v`];
  const { robots } = build.request;
  if (level === 'hit') {
    const hits = `${periodHits(build, hitColumns)} as h`;
    // Not "=": DuckDB would ask every hit whether it may be of one of the visits before it looks it up, and nearly all are.
    if (asksVisit || robots === 'only')
      return [hits, `join ${periodVisits(build)} as v on v.visit_id is not distinct from h.visit_id`];
    return [hits, `anti join ${uncountedVisits(build)} as uncounted on uncounted.visit_id = h.visit_id`];
  }
  const letter = LETTER[level];
  const withOrder =
    level === 'product' && [...plan.dimensions, ...plan.filters].some(({ dimension }) => dimension.level === 'order')
      ? [`join ${periodFacts(build, 'order')} as o on o.transaction_id = l.transaction_id and o.status = l.status`]
      : [];
  const rows = [`${periodFacts(build, level)} as ${letter}`, ...withOrder];
  if (asksVisit) return [...rows, `left join ${factVisits(build)} as v on v.visit_id = ${letter}.visit_id`];
  if (robots === 'include') return rows;
  return [
    ...rows,
    `${robots === 'only' ? 'semi' : 'anti'} join ${robotVisits(build)} as robot on robot.visit_id = ${letter}.visit_id`,
  ];
}

/** A fact without a visit is no robot's; one whose visit is no more may be. */
function robotConditions(build: Build, level: RowLevel): string[] {
  const { robots } = build.request;
  if (!isFact(level) || robots === 'include') return [];
  const isRobot = `(v.is_robot is true or coalesce(${LETTER[level]}.visit_id in (from ${formerRobotVisits(build)}), false))`;
  return [robots === 'only' ? isRobot : `not ${isRobot}`];
}

function conditions(
  build: Build,
  plan: Plan,
  segment: ReportSegment | null,
  { level, over, end }: RelationOptions,
  clock: string,
): string[] {
  const where: string[] = end === null ? [] : [`v.${end}_url is not null`];
  const ofOwn = ({ dimension }: UsedFilter): boolean =>
    dimension.level === 'visit' || dimension.level === level || (level === 'product' && dimension.level === 'order');
  for (const { dimension, param, filter } of plan.filters.filter(ofOwn)) {
    where.push(matches(dimension, dimension.key(termsOf(build, param, { localTime: clock })), filter, build.bind));
  }
  if (level === 'hit')
    where.push(...detailConditions(build, [...plan.dimensions, ...plan.filters].filter(isOf('hit')), []));
  if (segment !== null && !NO_FILTERS.includes(over)) where.push(segment.of(isFact(level) ? LETTER[level] : 'v'));
  return where;
}

function toldJoins(build: Build, plan: Plan, person: string, dimensions: readonly Used[]): Map<string, ToldJoin> {
  const joins = new Map<string, ToldJoin>();
  const ofPeople = [...new Set(dimensions)].filter(({ dimension }) => dimension.level === 'person');
  for (const key of new Set(ofPeople.map(toldKey))) {
    const filters = plan.filters.filter((filter) => filter.dimension.level === 'person' && toldKey(filter) === key);
    joins.set(
      key,
      toldJoin(
        build,
        person,
        `told${joins.size}`,
        ofPeople.filter((used) => toldKey(used) === key),
        filters,
      ),
    );
  }
  return joins;
}

function toldConditions(build: Build, plan: Plan, person: string, joined: ReadonlyMap<string, ToldJoin>): string[] {
  const filters = plan.filters.filter(({ dimension }) => dimension.level === 'person');
  const others = [...new Set(filters.map(toldKey))].filter((key) => !joined.has(key));
  return [
    ...[...joined.values()].flatMap(({ where }) => where),
    ...others.map((key) =>
      toldFilter(
        build,
        person,
        filters.filter((filter) => toldKey(filter) === key),
      ),
    ),
  ];
}
