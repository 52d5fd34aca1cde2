/** Checks the site: every accepted hit, visit, conversion and order exists once in PostgreSQL and once in the lake. */
import type { CheckContext } from './context.ts';

interface FactRow {
  key: string;
  visitorId: string;
  amount: number | null;
  /** False when it is attributed to another visitor's visit, or to no visit. */
  isAttributed: boolean;
}

export async function checkSite(context: CheckContext): Promise<void> {
  const { pool, expected, site } = context;
  const isAttributed = (fact: string): string =>
    `exists (select from site_visits v where v.site_id = ${fact}.site_id and v.visit_id = ${fact}.visit_id and v.visitor_id = ${fact}.visitor_id)`;
  const conversions = await pool.query<FactRow>(
    `select c.id as key, c.visitor_id as "visitorId", c.value::float8 as amount, ${isAttributed('c')} as "isAttributed" from site_conversions c where c.site_id = $1`,
    [site.id],
  );
  compare(
    context,
    'conversion',
    conversions.rows,
    new Map([...expected.conversions].map(([id, { visitorId, value }]) => [id, { visitorId, amount: value }])),
  );
  const orders = await pool.query<FactRow>(
    `select o.transaction_id || ' ' || o.status as key, o.visitor_id as "visitorId", ${isAttributed('o')} as "isAttributed",
            coalesce(o.revenue, (select p.revenue from site_orders p where p.site_id = o.site_id and p.transaction_id = o.transaction_id and p.status = 'purchased'))::float8 as amount
       from site_orders o where o.site_id = $1`,
    [site.id],
  );
  compare(context, 'site order', orders.rows, amountsOf(context));
}

function amountsOf({ expected }: CheckContext): Map<string, { visitorId: string; amount: number }> {
  return new Map(
    [...expected.siteOrders].map(([key, { visitorId, revenue }]) => [key, { visitorId, amount: revenue }]),
  );
}

/** Compares rows of PostgreSQL, whose keys rule out duplicates. */
function compare(
  { findings }: CheckContext,
  what: string,
  rows: readonly FactRow[],
  wanted: ReadonlyMap<string, { visitorId: string; amount: number }>,
): void {
  findings.countCompared(`${what}s`, wanted.size);
  const stored = new Map(rows.map((row) => [row.key, row]));
  for (const [key, { visitorId, amount }] of wanted) {
    const row = stored.get(key);
    stored.delete(key);
    if (!row) findings.add('lost', `${what} ${key} is not there`);
    else if (row.visitorId !== visitorId || row.amount !== amount || !row.isAttributed)
      findings.add('lost', `${what} ${key} is ${JSON.stringify(row)}`);
  }
  for (const key of stored.keys()) findings.add('doubled', `${what} ${key} is there and should not be`);
}

/** Counts the rows of the lake, which has no keys to prevent duplicates. */
export async function checkLake(context: CheckContext): Promise<void> {
  const { expected, findings, openLake, site } = context;
  const lake = await openLake();
  try {
    const counts = async (sql: string): Promise<Map<string, number>> => {
      const rows = await lake.query(sql, [site.id]);
      return new Map(rows.map((row) => [String(row['key']), Number(row['count'])]));
    };
    const once = (keys: Iterable<string>): Map<string, number> => new Map([...keys].map((key) => [key, 1]));
    const visitors = [...expected.visitors];
    const parts = [
      [
        'hits',
        'select visitor_id::varchar as key, count(*) as count from lake.hits where site_id = $1 group by 1',
        new Map(visitors.map(([id, { hits }]) => [id, hits])),
      ],
      [
        'visits',
        'select visitor_id::varchar as key, count(*) as count from lake.visits where site_id = $1 group by 1',
        once(expected.visitors.keys()),
      ],
      [
        'conversions',
        'select conversion_id as key, count(*) as count from lake.conversions where site_id = $1 group by 1',
        once(expected.conversions.keys()),
      ],
      [
        'orders',
        `select transaction_id || ' ' || status as key, count(*) as count from lake.orders where site_id = $1 group by 1`,
        once(expected.siteOrders.keys()),
      ],
      [
        'order lines',
        `select transaction_id as key, count(*) as count from lake.order_lines where site_id = $1 and status = 'purchased' group by 1`,
        new Map(
          [...expected.siteOrders.keys()].flatMap((key): [string, number][] =>
            /^api-\d+ purchased$/.test(key) ? [[key.split(' ')[0] ?? '', 2]] : [],
          ),
        ),
      ],
    ] as const;
    for (const [what, sql, wanted] of parts) compareCounts(findings, what, wanted, await counts(sql));
  } finally {
    await lake.close();
  }
}

function compareCounts(
  findings: CheckContext['findings'],
  what: string,
  wanted: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>,
): void {
  for (const key of new Set([...wanted.keys(), ...found.keys()])) {
    const [asked, there] = [wanted.get(key) ?? 0, found.get(key) ?? 0];
    findings.countCompared(`${what} of the lake`, asked);
    findings.add('lost', `${asked - there} ${what} of ${key} are not in the lake`, asked - there);
    findings.add('doubled', `${there - asked} ${what} of ${key} too many in the lake`, there - asked);
  }
}
