/** The input of the naive evaluator: plain arrays, of all sites together. */
import type {
  ConversionRow,
  HitRow,
  LakeRows,
  OrderLineRow,
  OrderRow,
  VisitRow,
} from '../../../../domain/reports/lakeRows.ts';
import type { ValueSource } from '../../../../domain/people/personData.ts';

/** A person's effective value, after precedence. */
export interface EffectiveValue {
  siteId: string;
  /** The key of the person (`personKey`). */
  person: string;
  /** An attribute of the audience dimensions; `visitor_param` has its `param`. */
  attribute: string;
  param: string | null;
  value: string;
  source: ValueSource;
}

export interface Link {
  siteId: string;
  visitorId: string;
  userId: string;
}

/** Visits in their current state, wherever they are stored. */
export interface World extends LakeRows {
  links: Link[];
  values: EffectiveValue[];
}

/** The rows of one site, and their relations. */
export interface SiteView {
  visits: VisitRow[];
  conversions: ConversionRow[];
  orders: OrderRow[];
  lines: OrderLineRow[];
  visitById: Map<string, VisitRow>;
  /** All hits but pings, ordered by time and id. */
  hitsOf: (visit: VisitRow) => HitRow[];
  conversionsOf: (visit: VisitRow) => ConversionRow[];
  ordersOf: (visit: VisitRow) => OrderRow[];
  linesOf: (visit: VisitRow) => OrderLineRow[];
  linesOfOrder: (order: OrderRow) => OrderLineRow[];
  orderOfLine: (line: OrderLineRow) => OrderRow | null;
  /** Key of the person of a visit or a fact. */
  personOf: (row: { visitor_id: string | null; user_id: string | null }, isFact: boolean) => string | null;
  valuesOf: (person: string | null, attribute: string, param: string | null) => EffectiveValue[];
}

/** A tenth of the visitors, as a sample takes them. */
export const SAMPLE_BUCKETS = 1000;

export function viewOf(world: World, siteId: string, isSampled: boolean): SiteView {
  const own = <Row extends { site_id: string; visitor_bucket: number }>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => row.site_id === siteId && (!isSampled || row.visitor_bucket < SAMPLE_BUCKETS));
  const visits = own(world.visits);
  const conversions = own(world.conversions);
  const orders = own(world.orders);
  const lines = own(world.order_lines);
  const hits = own(world.hits)
    .filter(({ type }) => type !== 'ping')
    .sort((a, b) => a.at - b.at || (a.hit_id < b.hit_id ? -1 : 1));
  const hitsByVisit = groupBy(hits, ({ visit_id }) => visit_id);
  const conversionsByVisit = groupBy(conversions, ({ visit_id }) => visit_id);
  const ordersByVisit = groupBy(orders, ({ visit_id }) => visit_id);
  const linesByVisit = groupBy(lines, ({ visit_id }) => visit_id);
  const linesByOrder = groupBy(lines, orderKey);
  const orderByKey = new Map(orders.map((order) => [orderKey(order), order]));
  const userOf = new Map(
    world.links.filter((link) => link.siteId === siteId).map(({ visitorId, userId }) => [visitorId, userId]),
  );
  const valuesByPerson = groupBy(
    world.values.filter((value) => value.siteId === siteId),
    ({ person }) => person,
  );
  return {
    visits,
    conversions,
    orders,
    lines,
    visitById: new Map(visits.map((visit) => [visit.visit_id, visit])),
    hitsOf: (visit) => hitsByVisit.get(visit.visit_id) ?? [],
    conversionsOf: (visit) => conversionsByVisit.get(visit.visit_id) ?? [],
    ordersOf: (visit) => ordersByVisit.get(visit.visit_id) ?? [],
    linesOf: (visit) => linesByVisit.get(visit.visit_id) ?? [],
    linesOfOrder: (order) => linesByOrder.get(orderKey(order)) ?? [],
    orderOfLine: (line) => orderByKey.get(orderKey(line)) ?? null,
    personOf(row, isFact) {
      if (isFact && row.user_id !== null) return `user:${row.user_id}`;
      if (row.visitor_id === null) return null;
      const user = userOf.get(row.visitor_id);
      return user === undefined ? `visitor:${row.visitor_id}` : `user:${user}`;
    },
    valuesOf: (person, attribute, param) =>
      (valuesByPerson.get(person ?? '') ?? []).filter(
        (value) => value.attribute === attribute && (param === null || value.param === param),
      ),
  };
}

const orderKey = (row: { transaction_id: string; status: string }): string => `${row.status} ${row.transaction_id}`;

export function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string | null): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
