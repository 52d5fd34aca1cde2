/** The params of a visit, from those of its page views. */
import type { VisitRow } from '../reports/lakeRows.ts';
import type { Visit } from './visitState.ts';

/** Maximum number of different params that a visit keeps from its page views. */
export const VISIT_PARAMS = 50;

/** Adds the params of a page view that happened at `at`; each key keeps its latest value. */
export function addParams(row: VisitRow, memo: Visit['memo'], params: Record<string, unknown>, at: number): void {
  const values = new Map<string, unknown>(
    Object.entries(row.params === null ? {} : (JSON.parse(row.params) as Record<string, unknown>)),
  );
  const times = new Map(memo.params_at);
  for (const [key, value] of Object.entries(params)) {
    const known = times.get(key);
    if (known === undefined ? times.size >= VISIT_PARAMS : known > at) continue;
    times.set(key, at);
    values.set(key, value);
  }
  if (values.size === 0) return;
  row.params = JSON.stringify(Object.fromEntries(values));
  memo.params_at = [...times];
}
