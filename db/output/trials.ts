/** How often new items were shown and opened so far. */
import { NEW_DAYS } from '../../domain/output/page/exploration.ts';
import type { Queryable } from '../pool.ts';

export interface TriedItem {
  id: string;
  impressions: number;
  opens: number;
}

/** Maximum number of opens counted: enough to know an item; counting more would only take longer. */
const MAX_OPENS = 1_000;

const opensIn = (table: 'events' | 'event_states'): string => `
  (select count(*) from (
     select from ${table} e
      where e.project_id = $1 and e.item_id = w.id and e.type = any($3::text[])
        and e.occurred_at > now() - interval '${NEW_DAYS} days'
      limit ${MAX_OPENS}) as opened)`;

/** Returns the counts of each item, within the days for which an item is new. */
export async function readTrials(pool: Queryable, projectId: string, ids: readonly string[]): Promise<TriedItem[]> {
  if (ids.length === 0) return [];
  const types = await pool.query<{ code: string }>({
    name: 'output-opening-types',
    text: 'select code from event_types where project_id = $1 and is_open',
    values: [projectId],
  });
  const { rows } = await pool.query<TriedItem>({
    name: 'output-trials',
    text: `select w.id, ${opensIn('events')} + ${opensIn('event_states')} as opens,
                  (select coalesce(sum(c.count), 0) from impression_counts c
                    where c.project_id = $1 and c.item_id = w.id
                      and c.day = any(array(select current_date - n from generate_series(0, ${NEW_DAYS}) n))) as impressions
             from unnest($2::text[]) as w (id)`,
    values: [projectId, ids, types.rows.map(({ code }) => code)],
  });
  return rows.map(({ id, impressions, opens }) => ({ id, impressions: Number(impressions), opens: Number(opens) }));
}
