/** Goals of sites. */
import type pg from 'pg';
import type { Goal } from '../../domain/sites/goalDefinition.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { DEFAULT_QUOTAS } from '../../domain/sites/siteQuotas.ts';

const COLUMNS = 'code, title, type, match, value::float8 as value, enabled';

/** Returns all goals, by code. */
export async function listGoals(pool: Queryable, siteId: string): Promise<Goal[]> {
  const { rows } = await pool.query<Goal>(`select ${COLUMNS} from site_goals where site_id = $1 order by code`, [
    siteId,
  ]);
  return rows;
}

export type PutGoalOutcome = 'created' | 'replaced' | 'no_site' | 'too_many' | 'too_costly';

/**
 * Creates a goal or replaces it entirely. Changes of one site's goals wait for each other, so that its quota holds.
 * @param isAffordable checks the goal together with the site's others; false gives `too_costly`, and nothing changes
 */
export function putGoal(
  pool: pg.Pool,
  siteId: string,
  goal: Goal,
  isAffordable: (goal: Goal, others: readonly Goal[]) => boolean = () => true,
): Promise<PutGoalOutcome> {
  return inTransaction(pool, async (client) => {
    const site = await lockGoals(client, siteId, goal.code);
    if (site === null) return 'no_site';
    if (!site.isKnown && site.goals >= site.quota) return 'too_many';
    const others = (await listGoals(client, siteId)).filter(({ code }) => code !== goal.code);
    if (!isAffordable(goal, others)) return 'too_costly';
    await writeGoal(client, siteId, goal);
    return site.isKnown ? 'replaced' : 'created';
  });
}

interface GoalsState {
  quota: number;
  goals: number;
  isKnown: boolean;
}

/** Counts in a statement of its own: the one that waits for the lock would count the older state. */
async function lockGoals(client: Queryable, siteId: string, code: string): Promise<GoalsState | null> {
  const {
    rows: [site],
  } = await client.query<{ quota: number | null }>(
    `select (quotas->>'goals')::int as quota from sites where id = $1 for no key update`,
    [siteId],
  );
  if (!site) return null;
  const {
    rows: [counted],
  } = await client.query<Omit<GoalsState, 'quota'>>(
    'select count(*)::int as goals, count(*) filter (where code = $2) > 0 as "isKnown" from site_goals where site_id = $1',
    [siteId, code],
  );
  if (!counted) throw new Error('a count returned no row');
  return { quota: site.quota ?? DEFAULT_QUOTAS.goals, ...counted };
}

async function writeGoal(
  client: Queryable,
  siteId: string,
  { code, title, type, match, value, enabled }: Goal,
): Promise<void> {
  await client.query(
    `insert into site_goals (site_id, code, title, type, match, value, enabled) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (site_id, code) do update set title = excluded.title, type = excluded.type, match = excluded.match, value = excluded.value, enabled = excluded.enabled`,
    [siteId, code, title, type, match, value, enabled],
  );
}

/** Deletes a goal. False when the site has no such goal. Conversions of the goal keep its code. */
export async function deleteGoal(pool: Queryable, siteId: string, code: string): Promise<boolean> {
  const { rowCount } = await pool.query('delete from site_goals where site_id = $1 and code = $2', [siteId, code]);
  return rowCount === 1;
}
