/** A project with work in progress: some items are ready, some failed for various reasons, some wait. */
import type pg from 'pg';
import { planItem } from '../../../db/analysis/plan.ts';
import { Analyst } from '../../support/items/items.ts';
import { textItem } from '../../support/project.ts';

/** Stores texts whose summary failed. */
async function storeFailures(
  pool: pg.Pool,
  projectId: string,
  prefix: string,
  count: number,
  code: string,
): Promise<void> {
  const analyst = new Analyst(pool, projectId);
  for (let number = 1; number <= count; number++) {
    const id = `${prefix}-${number}`;
    await analyst.put(id, textItem({ title: `Lesson ${id}` }));
    await planItem(pool, { projectId, itemId: id }, {});
    await analyst.finish(id, 'summary', { outcome: { state: 'failed', error: { code, message: 'нет' } } });
    await analyst.finish(id, 'embedding');
  }
}

/** Stores two refused items, one over quota, one ready, and one that waits. */
export async function storeBusyPipeline(pool: pg.Pool, projectId: string): Promise<void> {
  await storeFailures(pool, projectId, 'refused', 2, 'provider_refused');
  await storeFailures(pool, projectId, 'quota', 1, 'provider_quota');
  const analyst = new Analyst(pool, projectId);
  await analyst.put('fine', textItem({ title: 'A fine lesson' }));
  await analyst.analyse('fine');
  await analyst.put('waits', textItem({ title: 'The lesson that waits' }));
}
