/** Flattens visits and facts into the rows that are grouped: one for each combination of what the request uses. */
import type { CollectType } from '../../../domain/collect/collected.ts';
import type { HitRow, VisitRow } from '../../../domain/reports/lakeRows.ts';
import { dimensionOf } from './dimensions.ts';
import type { Base, Tuple } from './metrics/tuple.ts';
import type { EffectiveValue, SiteView } from './world/world.ts';

/** The data that a request's dimensions and filters use. */
export interface InPlay {
  hits: boolean;
  hitTypes: readonly CollectType[];
  goals: boolean;
  orders: boolean;
  products: boolean;
  attributes: readonly { key: string; attribute: string; param: string | null }[];
}

export function inPlayOf(dimensionIds: readonly string[]): InPlay {
  const found = dimensionIds.map((id) => dimensionOf(id));
  const has = (level: string): boolean => found.some(({ dimension }) => dimension.level === level);
  const attributes = found.flatMap(({ dimension, param }) => {
    const attribute = dimension.attribute?.(param);
    return attribute === undefined
      ? []
      : [
          {
            ...attribute,
            key: attribute.param === null ? attribute.attribute : `${attribute.attribute}:${attribute.param}`,
          },
        ];
  });
  return {
    hits: has('hit'),
    goals: has('goal'),
    orders: has('order'),
    products: has('product'),
    hitTypes: found.flatMap(({ dimension }) => dimension.hitType ?? []),
    attributes: [...new Map(attributes.map((attribute) => [attribute.key, attribute])).values()],
  };
}

/** Returns a visit's rows, expanded by its hits, conversions, orders and lines where those are used. */
export function visitTuples(view: SiteView, visit: VisitRow, inPlay: InPlay): Tuple[] {
  const plain: Tuple = {
    at: visit.started_at,
    visit,
    hit: null,
    conversion: null,
    order: null,
    line: null,
    person: view.personOf(visit, false),
    attributes: new Map(),
  };
  let tuples = [plain];
  if (inPlay.hits) tuples = tuples.flatMap((tuple) => seenHits(view, visit, inPlay).map((hit) => ({ ...tuple, hit })));
  if (inPlay.goals)
    tuples = tuples.flatMap((tuple) => view.conversionsOf(visit).map((conversion) => ({ ...tuple, conversion })));
  if (inPlay.products) {
    tuples = tuples.flatMap((tuple) =>
      view.linesOf(visit).map((line) => ({ ...tuple, line, order: inPlay.orders ? view.orderOfLine(line) : null })),
    );
  } else if (inPlay.orders) {
    tuples = tuples.flatMap((tuple) => view.ordersOf(visit).map((order) => ({ ...tuple, order })));
  }
  return tuples.flatMap((tuple) => tell(view, tuple, inPlay));
}

/** Returns the visible hits: event names belong to events and form ids to forms, so other hits are hidden. */
function seenHits(view: SiteView, visit: VisitRow, inPlay: InPlay): HitRow[] {
  return view.hitsOf(visit).filter(({ type }) => inPlay.hitTypes.every((only) => only === type));
}

function hitTuples(view: SiteView, visit: VisitRow, inPlay: InPlay): Tuple[] {
  return visitTuples(view, visit, { ...inPlay, hits: true });
}

/** Returns a row for each value of a person; a person with several values is in the row of each. */
function tell(view: SiteView, tuple: Tuple, inPlay: InPlay): Tuple[] {
  return inPlay.attributes.reduce<Tuple[]>(
    (rows, { key, attribute, param }) => {
      const held = view.valuesOf(tuple.person, attribute, param);
      const values: (EffectiveValue | null)[] = held.length === 0 ? [null] : held;
      return rows.flatMap((row) =>
        values.map((value) => ({ ...row, attributes: new Map([...row.attributes, [key, value]]) })),
      );
    },
    [tuple],
  );
}

/** The countable data: visits of the period and facts of the period. */
export interface Population {
  visits: readonly VisitRow[];
  conversions: SiteView['conversions'];
  orders: SiteView['orders'];
  lines: SiteView['lines'];
}

export function tuplesOf(view: SiteView, base: Base, population: Population, inPlay: InPlay): Tuple[] {
  const factTuple = (row: {
    at: number;
    visit_id: string | null;
    visitor_id: string | null;
    user_id: string | null;
  }): Tuple => ({
    at: row.at,
    visit: view.visitById.get(row.visit_id ?? '') ?? null,
    hit: null,
    conversion: null,
    order: null,
    line: null,
    person: view.personOf(row, true),
    attributes: new Map(),
  });
  switch (base) {
    case 'visit':
      return population.visits.flatMap((visit) => visitTuples(view, visit, inPlay));
    case 'hit':
      return population.visits.flatMap((visit) => hitTuples(view, visit, inPlay));
    case 'conversion':
      return population.conversions.flatMap((conversion) =>
        tell(view, { ...factTuple(conversion), conversion }, inPlay),
      );
    case 'order':
      return population.orders.flatMap((order) => {
        const lines = inPlay.products ? view.linesOfOrder(order) : [null];
        return lines.flatMap((line) => tell(view, { ...factTuple(order), order, line }, inPlay));
      });
    case 'line':
      return population.lines.flatMap((line) =>
        tell(view, { ...factTuple(line), line, order: view.orderOfLine(line) }, inPlay),
      );
  }
}
