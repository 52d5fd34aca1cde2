import { expect, it } from '@jest/globals';
import { readItemLanguage } from '../../../db/analysis/languageEvidence.ts';
import { putItem } from '../../../db/items/writeItems.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createTestProject, textItem } from '../../support/project.ts';

it('only the beginning of a long text is read for its language', async () => {
  const { pool, drop } = await createTestDatabase();
  const ref = { projectId: await createTestProject(pool), itemId: 'item' };
  const content = textItem({ title: 'Трамвай', body: 'ж'.repeat(1_000_000) });
  await putItem(pool, { ...ref, content, origin: 'api', requestId: null });
  expect((await readItemLanguage(pool, ref))?.own).toMatchObject({ title: 'Трамвай', body: 'ж'.repeat(100_000) });
  await drop();
});
