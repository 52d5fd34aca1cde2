import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestProject } from '../../api/support/testApi.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { putSynonyms, readSynonyms, readSynonymsVersion } from '../../../db/search/synonyms.ts';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database?.drop());

describe('the synonyms of a project', () => {
  it('are replaced as a whole, and each time have a newer version', async () => {
    const { id } = await createTestProject(database.pool);
    expect(await readSynonymsVersion(database.pool, id)).toBe(0);
    expect(await putSynonyms(database.pool, id, [{ words: ['а', 'б'] }])).toBe(true);
    expect(await putSynonyms(database.pool, id, [{ words: ['в'], to: ['г'] }])).toBe(true);
    expect(await readSynonyms(database.pool, id)).toEqual({ version: 2, synonyms: [{ words: ['в'], to: ['г'] }] });
  });

  it('are of no other project, and of none that is unknown', async () => {
    const [one, other] = await Promise.all([createTestProject(database.pool), createTestProject(database.pool)]);
    await putSynonyms(database.pool, one.id, [{ words: ['а', 'б'] }]);
    expect((await readSynonyms(database.pool, other.id)).synonyms).toEqual([]);
    expect(await putSynonyms(database.pool, 'nothing', [])).toBe(false);
  });
});
