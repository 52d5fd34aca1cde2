import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeItems } from '../../../db/items/writeItems.ts';
import type { ItemOperation } from '../../../domain/items/decideOperation.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSilentWebhook, Analyst } from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a bulk load', () => {
  // proves: webhook-kinds/5
  it.each(['api', 'import'] as const)('sends one event per object: origin %s', async (origin) => {
    const projectId = await createTestProject(database.pool);
    await addSilentWebhook(database.pool, projectId);
    const analyst = new Analyst(database.pool, projectId);
    const ids = Array.from({ length: 12 }, (_, index) => `bulk-${String(index).padStart(2, '0')}`);
    const operations = ids.map((id): ItemOperation => ({ op: 'put', id, content: textItem({ title: id }) }));
    const load = () =>
      writeItems(database.pool, { projectId, origin, priority: PRIORITY.bulk, requestId: null }, operations);
    const events = async () =>
      (
        await database.pool.query<{ item_id: string }>(
          'select item_id from deliveries where project_id = $1 order by item_id',
          [projectId],
        )
      ).rows.map((row) => row.item_id);

    await load();
    expect(await events()).toEqual([]); // none for the load itself
    for (const id of ids) await analyst.analyse(id);
    expect(await events()).toEqual(ids);

    await load(); // the same file again changes nothing
    for (const id of ids) await analyst.analyse(id);
    expect(await events()).toEqual(ids);
  });
});
