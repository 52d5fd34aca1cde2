/** Maps of a page, each as one statement: clicks by place, and depth of reading. */
import type { PageQuestion } from '../mapAndVisitQuestions.ts';
import { COLUMNS, findDimension } from '../registry/index.ts';
import { call, column, groupByFirst, join, literal, NOTHING, raw, relation, sql, type Sql } from '../sql/index.ts';
import { compilationOf, type Compilation, type CompileContext } from './context/compileContext.ts';
import { chosenVisits, requestOf } from './conditions/chosenVisits.ts';
import { compiled, type Compiled } from './compiled.ts';
import { withScroll } from './rows/periodHits.ts';
import { layoutRows } from './rows/lakeRows.ts';
import { matches } from './conditions/comparisons.ts';
import { hitsOfVisits } from './context/period.ts';
import { detailsOf } from './rows/periodRows.ts';
import { filled } from './context/fillTerms.ts';
import { CLICK_CELLS, MAX_CLICKED_ELEMENTS, SCROLL_DEPTHS } from '../pageMapLimits.ts';

/**
 * Compiles a statement that returns one row: `{views DOUBLE, clicks DOUBLE, elements STRUCT(selector VARCHAR, clicks
 * DOUBLE, cells STRUCT(x, y, clicks)[])[]}`.
 */
export function compileClicks(question: PageQuestion, context: CompileContext): Compiled {
  const compilation = compilationOf(requestOf(question), context);
  const hits = pageHits(compilation, question, ['pageview', 'click']);
  const layouts = layoutRows(compilation, hitsOfVisits(compilation.period, compilation.period.lateMs));
  const cells = relation(
    'cells',
    sql`select h.selector, ${cell('element_x')} as x, ${cell('element_y')} as y, ${call('double', sql`sum(h.weight)`)} as clicks from ${hits} as h left join ${layouts} as l on l.hit_id = h.hit_id where h.type = 'click'${groupByFirst(3)}`,
  );
  const best = relation(
    'best',
    sql`select selector, sum(clicks) as clicks from ${cells} where selector is not null group by selector order by clicks desc, selector limit ${raw(String(MAX_CLICKED_ELEMENTS))}`,
  );
  const ofCell = record({ x: 'c.x', y: 'c.y', clicks: 'c.clicks' });
  const ofElement = record({ selector: 'selector', clicks: 'clicks', cells: 'cells' });
  const elements = relation(
    'elements',
    sql`select b.selector, b.clicks, coalesce(${call('listOf', ofCell, raw('c.clicks desc, c.y, c.x'))} filter (where c.x is not null and c.y is not null), ${call('array')}) as cells from ${best} as b join ${cells} as c on c.selector = b.selector group by b.selector, b.clicks`,
  );
  return compiled(
    sql`select ${weightOf(hits, 'pageview')} as views, ${weightOf(hits, 'click')} as clicks, coalesce((select ${call('listOf', ofElement, raw('clicks desc, selector'))} from ${elements}), ${call('array')}) as elements`,
    context.dialect,
  );
}

/**
 * Compiles a statement that returns one row: `{views DOUBLE, reached DOUBLE[], depth DOUBLE}`, `depth` being the sum
 * over all views.
 */
export function compileScrolls(question: PageQuestion, context: CompileContext): Compiled {
  const compilation = compilationOf(requestOf(question), context);
  const hits = pageHits(compilation, question, ['pageview', 'scroll']);
  const reached = SCROLL_DEPTHS.map((depth) => sumOf(WEIGHT, raw(` filter (where scroll_depth >= ${depth})`)));
  return compiled(
    sql`select ${sumOf(WEIGHT)} as views, ${call('array', ...reached)} as reached, ${sumOf(raw('weight * scroll_depth'))} as depth from ${withScroll(hits)} where type = 'pageview'`,
    context.dialect,
  );
}

/** Returns the hits of the given types on a page, from the chosen visits. */
function pageHits(compilation: Compilation, { page, device }: PageQuestion, types: readonly string[]): Sql {
  const found = findDimension('page_url');
  if (found === null) throw new Error('no dimension page_url');
  const { dimension } = found;
  const filter = { dimension: dimension.id, op: 'eq', values: [page] } as const;
  const isOfPage = matches(dimension, filled(compilation, dimension.key('')), filter);
  const { type, visit_id: visit } = COLUMNS.hit;
  const columns = (['visit_id', 'hit_id', 'at', 'type', 'weight', 'page_url', 'selector', 'depth'] as const).map(
    (name) => COLUMNS.hit[name],
  );
  return relation(
    'page_hits',
    sql`select ${join(columns)} from ${detailsOf(compilation, 'hit')} as h where ${type} in (${join(types.map(literal))}) and ${isOfPage} and ${visit} in (select visit_id from ${chosenVisits(compilation, device)})`,
  );
}

/**
 * Returns the cell of a position in the element; the far edge belongs to the last cell. Null if the position is unknown
 * (`least` would ignore the null).
 */
function cell(name: string): Sql {
  const share = column('l', name);
  const number = sql`least(floor(${share} * ${raw(String(CLICK_CELLS))}), ${raw(String(CLICK_CELLS - 1))})`;
  return sql`case when ${share} is not null then ${call('integer', number)} end`;
}

/** @param fields columns by the names of their fields */
const record = (fields: Readonly<Record<string, string>>): Sql =>
  call('record', ...Object.entries(fields).flatMap(([name, value]) => [raw(name), raw(value)]));

const WEIGHT = raw('weight');

const sumOf = (weights: Sql, filter = NOTHING): Sql => call('double', sql`coalesce(sum(${weights})${filter}, 0)`);

const weightOf = (hits: Sql, type: string): Sql =>
  sql`(select ${sumOf(WEIGHT)} from ${hits} where type = ${literal(type)})`;
