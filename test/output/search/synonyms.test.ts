import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { stageApi } from '../../api/support/stageApi.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  type Client,
  type TestProject,
} from '../../api/support/testApi.ts';
import { putSynonyms, readSynonyms, readSynonymsVersion } from '../../../db/search/storedSynonyms.ts';

const stage = stageApi();

describe('the synonyms of a project', () => {
  // proves: output-cabinet/synonyms
  it('are replaced as a whole, each time with a newer version', async () => {
    const { pool } = stage.database;
    const { id } = await createTestProject(pool);
    expect(await readSynonymsVersion(pool, id)).toBe(0);
    expect(await putSynonyms(pool, id, [{ words: ['а', 'б'] }])).toBe(true);
    expect(await putSynonyms(pool, id, [{ words: ['в'], to: ['г'] }])).toBe(true);
    expect(await readSynonyms(pool, id)).toEqual({ version: 2, synonyms: [{ words: ['в'], to: ['г'] }] });
  });

  // proves: output-cabinet/synonyms
  it('belong to one existing project', async () => {
    const { pool } = stage.database;
    const [one, other] = await Promise.all([createTestProject(pool), createTestProject(pool)]);
    await putSynonyms(pool, one.id, [{ words: ['а', 'б'] }]);
    expect((await readSynonyms(pool, other.id)).synonyms).toEqual([]);
    expect(await putSynonyms(pool, 'nothing', [])).toBe(false);
  });
});

describe('GET and PUT /projects/{id}/synonyms', () => {
  let cabinet: Client;
  let project: TestProject;
  beforeAll(async () => {
    cabinet = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
  });
  beforeEach(async () => {
    project = await createTestProject(stage.database.pool);
  });
  const call = (method: string, synonyms?: object[]) =>
    cabinet(method, `/projects/${project.id}/synonyms`, synonyms && { synonyms });
  /** Returns `count` different words. */
  const words = (count: number, of = 'слово') => Array.from({ length: count }, (_, n) => `${of} ${n}`);

  // proves: output-cabinet/synonym-endpoints
  it('write and read up to 1,000 rows of up to 20 words on each side', async () => {
    expect((await call('GET')).body).toEqual({ synonyms: [] });
    const most = Array.from({ length: 1_000 }, (_, n) => ({
      words: words(20, `слово ${n}`),
      ...(n % 2 === 0 && { to: words(20) }),
    }));
    expect((await call('PUT', most)).status).toBe(200);
    expect((await call('GET')).body).toEqual({ synonyms: most });
    const long = words(20).map((word) => word.padEnd(60, 'ю'));
    const longest = Array.from({ length: 1_000 }, () => ({ words: long, to: long }));
    expect((await call('PUT', longest)).status).toBe(200);
    expect((await call('PUT', [])).body).toEqual({ synonyms: [] });
    expect((await call('GET')).body).toEqual({ synonyms: [] });
  });

  it.each<[string, object[], string, string]>([
    // proves: output-cabinet/synonym-endpoints
    ['1,001 rows', Array.from({ length: 1_001 }, () => ({ words: ['а', 'б'] })), 'synonyms', 'too_long'],
    // proves: output-cabinet/synonym-endpoints
    ['a row of 21 words', [{ words: words(21) }], 'synonyms[0].words', 'too_long'],
    // proves: output-cabinet/synonym-endpoints
    ['a row with 21 targets', [{ words: ['а'], to: words(21) }], 'synonyms[0].to', 'too_long'],
    ['a row without words', [{ words: [] }], 'synonyms[0].words', 'invalid_value'],
    ['a word without letters', [{ words: ['а', '…'] }], 'synonyms[0].words[1]', 'invalid_value'],
  ])('refuse %s, and keep what is there', async (_what, synonyms, field, code) => {
    const kept = [{ words: ['обувь'], to: ['ботинки'] }];
    await call('PUT', kept);
    const { status, body } = await call('PUT', synonyms);
    expect([status, body.error.details]).toMatchObject([422, [{ field, code }]]);
    expect((await call('GET')).body).toEqual({ synonyms: kept });
  });

  it('answer 404 for an unknown project', async () => {
    const path = '/projects/zzzzzzzzzzzz/synonyms';
    expect((await cabinet('GET', path)).status).toBe(404);
    expect((await cabinet('PUT', path, { synonyms: [] })).status).toBe(404);
  });
});
