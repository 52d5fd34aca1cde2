import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { patchItem } from '../../../db/items/writeItems.ts';
import type { ItemPatch } from '../../../domain/items/item.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { Analyst, mediaItem, mediaOf, medium, snapshot } from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;
let count = 0;
let id = '';

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
});
afterAll(() => database.drop());
beforeEach(() => {
  count += 1;
  id = `item-${count}`;
});

const look = () => snapshot(database.pool, projectId, id);
const patch = (change: ItemPatch) =>
  patchItem(database.pool, { projectId, itemId: id, patch: change, requestId: null });

describe('simultaneous writes', () => {
  it('of one new id create it once and request one analysis', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, () => analyst.put(id, mediaItem('image', [medium('image', 'a')]))),
    );
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    expect(await look()).toMatchObject({ revision: 1, outbox: 1, status: 'queued' });
    expect(await mediaOf(database.pool, projectId, id)).toHaveLength(1);
  });

  it('of different texts leave one of them complete, with a revision for each change', async () => {
    const texts = Array.from({ length: 12 }, (_, index) => textItem({ title: `t${index}`, body: `b${index}` }));
    await Promise.all(texts.map((content) => analyst.put(id, content)));
    const { rows } = await database.pool.query<{ title: string; body: string }>(
      'select title, body from items where project_id = $1 and id = $2',
      [projectId, id],
    );
    expect(rows[0]?.title.slice(1)).toBe(rows[0]?.body.slice(1));
    expect((await look()).revision).toBe(12);
  });

  it('of different media lists leave one of them complete', async () => {
    await analyst.put(id, mediaItem('mixed', []));
    const lists = Array.from({ length: 12 }, (_, index) => [
      medium('image', `a${index}`),
      medium('image', 'shared'),
      medium('video', `b${index}`),
    ]);
    await Promise.all(lists.map((media) => patch({ media })));
    const names = (await mediaOf(database.pool, projectId, id)).map(({ url }) => url.split('/').at(-1));
    expect(names).toEqual([`a${names[0]?.slice(1)}`, 'shared', `b${names[0]?.slice(1)}`]);
  });
});
