import type { HostileStage } from './hostileStage.ts';

/** Tables that every write of the project changes: counters, queues, and rows that nobody reads after the work. */
const MOVING = new Set(['item_list_horizon', 'outbox']);

/**
 * Reads every row that a hostile item of the stage's project may not change: those of a neighbour, of the other
 * project, and of tables that belong to no project.
 */
export async function rowsOfOthers(
  { database: { pool }, project, elsewhere }: HostileStage,
  neighbour: string,
): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(column_name::text) as columns from information_schema.columns c
      where table_schema = 'public' and exists (select 1 from pg_tables t where t.schemaname = 'public' and t.tablename = c.table_name)
      group by 1 order by 1`,
  );
  const found: string[] = [];
  for (const { name, columns } of tables.filter((table) => !MOVING.has(table.name))) {
    const own = name === 'items' ? 'id' : columns.includes('item_id') ? 'item_id' : null;
    const condition = columns.includes('project_id')
      ? `project_id = '${elsewhere.id}'${own === null ? '' : ` or project_id = '${project.id}' and ${own} = '${neighbour}'`}`
      : 'true';
    const { rows } = await pool.query<{ row: string }>(
      `select t::text as row from "${name}" t where ${condition} order by 1`,
    );
    found.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return found;
}
