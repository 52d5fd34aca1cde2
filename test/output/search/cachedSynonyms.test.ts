import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { putSynonyms } from '../../../db/search/storedSynonyms.ts';
import { SynonymCache } from '../../../output/search/cachedSynonyms.ts';
import { stageApi } from '../../api/support/stageApi.ts';
import { createTestProject } from '../../api/support/testApi.ts';

const stage = stageApi();
afterEach(() => void jest.restoreAllMocks());

/** The longest list that a project may have: 20 words in each row that lead to 20 others. */
const LONGEST = Array.from({ length: 1_000 }, (_, row) => {
  const words = (kind: string) => Array.from({ length: 19 }, (_word, n) => `${kind} ${row} ${n}`);
  return { words: ['общее', ...words('слово')], to: ['итог', ...words('цель')] };
});

describe('the synonyms of a project with the longest list', () => {
  // proves: output-cabinet/synonyms, search/synonyms
  it('are read once for all questions, and other work is done meanwhile', async () => {
    const { pool } = stage.database;
    const { id } = await createTestProject(pool);
    await putSynonyms(pool, id, LONGEST);
    const synonyms = new SynonymCache(pool);
    const asked: unknown[] = [];
    let turns = 0;
    const query = pool.query.bind(pool) as (question: unknown) => Promise<unknown>;
    const counted = async (question: unknown): Promise<unknown> => {
      asked.push(question);
      const answer = await query(question);
      // Only turns of the event loop after the last read count.
      turns = 0;
      return answer;
    };
    jest.spyOn(pool, 'query').mockImplementation(counted as unknown as typeof pool.query);
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const [map, ...others] = await Promise.all([1, 2, 3].map(() => synonyms.of(id)));
    isDone = true;
    expect(others).toEqual([map, map]);
    expect(asked.filter((one) => JSON.stringify(one).includes('"search-synonyms"'))).toHaveLength(1);
    expect(turns).toBeGreaterThan(20);
    expect(map?.of(['слово', '7', '3'])).toHaveLength(20);
  });

  // proves: output-cabinet/synonyms, search/synonyms
  it('are limited to 200 for a word that is in all rows: those of the first rows', async () => {
    const { pool } = stage.database;
    const { id } = await createTestProject(pool);
    await putSynonyms(pool, id, LONGEST);
    const map = await new SynonymCache(pool).of(id);
    const found = map.of(['общее']);
    expect([found.length, found[0], found.at(-1)]).toEqual([200, ['итог'], ['цель', '10', '8']]);
  });
});
