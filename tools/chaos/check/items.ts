/** Checks items: present as last accepted, with a final status, and counted once. */
import type { ExpectedItem, ProjectName } from '../load/expected.ts';
import { PROJECT_NAMES, type CheckContext } from './context.ts';

interface ItemRow {
  id: string;
  type: string;
  title: string | null;
  description: string | null;
  body: string | null;
  available: boolean;
  deleted: boolean;
  origin: string;
  status: string;
  media: { kind: string; url: string }[];
}

export async function checkItems(context: CheckContext): Promise<void> {
  for (const name of PROJECT_NAMES) await checkProject(context, name);
}

async function checkProject(context: CheckContext, name: ProjectName): Promise<void> {
  const { expected, findings, projects } = context;
  const rows = await readItems(context, projects[name].id);
  for (const item of expected.items.values()) {
    if (item.project !== name) continue;
    findings.countCompared('items', 1);
    const row = rows.get(item.id);
    rows.delete(item.id);
    if (row) compare(context, item, row);
    else findings.add('lost', `item ${item.id} is not there`);
  }
  for (const row of rows.values()) {
    if (row.origin !== 'order' || !expected.products.has(row.id))
      findings.add('doubled', `item ${row.id} was never accepted`);
  }
}

async function readItems({ pool }: CheckContext, projectId: string): Promise<Map<string, ItemRow>> {
  const { rows } = await pool.query<ItemRow>(
    `select i.id, i.type, i.title, i.description, i.body, i.available, i.deleted, i.origin, i.status,
            coalesce((select json_agg(json_build_object('kind', m.kind, 'url', m.url) order by m.position)
                        from item_media m where m.project_id = i.project_id and m.item_id = i.id), '[]') as media
       from items i where i.project_id = $1`,
    [projectId],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function compare({ findings }: CheckContext, { id, content, deleted }: ExpectedItem, row: ItemRow): void {
  const stored = {
    type: row.type,
    title: row.title,
    description: row.description,
    body: row.body,
    available: row.available,
    media: row.media,
  };
  const fields = Object.keys(stored) as (keyof typeof stored)[];
  const wrong = fields.filter((field) => JSON.stringify(stored[field]) !== JSON.stringify(content[field]));
  if (wrong.length > 0) findings.add('lost', `item ${id} does not have the accepted ${wrong.join(', ')}`);
  if (row.deleted !== deleted)
    findings.add('lost', `item ${id}: deleted is ${row.deleted}, not ${deleted} as accepted`);
  if (deleted) return;
  if (!['ready', 'partial', 'failed'].includes(row.status)) findings.add('unfinished', `item ${id} is ${row.status}`);
  else if (row.status !== 'ready') findings.add('lost', `item ${id} ended ${row.status}: nothing was wrong with it`);
}

/** Checks the units of analysis volume: each subject counted once, nothing left reserved. */
export async function checkVolume({ pool, expected, findings, projects }: CheckContext): Promise<void> {
  for (const name of PROJECT_NAMES) {
    const { rows } = await pool.query<{ used: number; reserved: number }>(
      'select coalesce(sum(used), 0)::int as used, coalesce(sum(reserved), 0)::int as reserved from analysis_volume where project_id = $1',
      [projects[name].id],
    );
    const { used = 0, reserved = 0 } = rows[0] ?? {};
    const items = [...expected.items.values()].filter(({ project }) => project === name);
    const least = items.reduce((sum, { units }) => sum + units.min, 0);
    const most = items.reduce((sum, { units }) => sum + units.max, 0);
    findings.countCompared('units', used);
    findings.add('lost', `${least - used} units of ${name} were not counted`, least - used);
    findings.add('doubled', `${used - most} units of ${name} were counted too much`, used - most);
    findings.add('unfinished', `${reserved} units of ${name} are still reserved`, reserved);
  }
}
