import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { Catalogue } from '../../../output/selection/catalogue/catalogue.ts';
import { SearchIndexes } from '../../../output/search/searchIndexes.ts';
import { SearchIndex } from '../../../output/search/index/searchIndex.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { catalogueOf, change } from '../support/catalogues.ts';
import { documentOf } from './support/library.ts';

interface Read {
  answer(): void;
  fail(): void;
}

/** Creates a database whose answers the test releases, so that the test decides in which order reads end. */
function heldReads(): { reads: Read[]; pool: pg.Pool } {
  const reads: Read[] = [];
  const query = (): Promise<{ rows: [] }> =>
    new Promise((resolve, reject) =>
      reads.push({ answer: () => resolve({ rows: [] }), fail: () => reject(new Error('the database is away')) }),
    );
  return { reads, pool: { query } as unknown as pg.Pool };
}

function indexesOf(pool: pg.Pool): SearchIndexes {
  return new SearchIndexes({
    pool,
    logger: createLogger('selection', 'silent'),
    hasRoom: () => true,
    isHeld: () => true,
  });
}

const ready = (indexes: SearchIndexes, catalogue: Catalogue): Promise<SearchIndex> =>
  eventually(() => {
    const found = indexes.find('p', catalogue);
    return typeof found === 'object' ? found : null;
  }, 'the words');

describe('the words of a catalogue', () => {
  it('do not contain those of items that nobody may see', async () => {
    const secret = { ...documentOf({ id: 'a', title: 'Тайна', tags: ['секрет'] }), isEligible: false };
    const shown = documentOf({ id: 'b', title: 'Стол' });
    const pool = { query: () => Promise.resolve({ rows: [secret, shown] }) } as unknown as pg.Pool;
    const catalogue = catalogueOf([change('a'), change('b')], []);
    const indexes = indexesOf(pool);
    const { vocabulary } = await ready(indexes, catalogue);
    expect(vocabulary.wordsWithPrefix('', 9).map(({ word }) => word)).toEqual(['стол']);
    shown.isEligible = false;
    await indexes.follow('p', catalogue, ['a', 'b']);
    expect((await ready(indexes, catalogue)).documents).toBe(0);
  });

  it('are read again after a fault, whatever the outcome of earlier reads', async () => {
    const { reads, pool } = heldReads();
    const catalogue = catalogueOf([change('a')], []);
    const indexes = indexesOf(pool);
    const read = (at: number) => eventually(() => reads[at] ?? null, `read ${at}`);
    expect(indexes.find('p', catalogue)).toBe('loading');
    const load = await read(0);
    const following = indexes.follow('p', catalogue, ['a']);
    (await read(1)).fail();
    await expect(following).rejects.toThrow('the database is away');
    expect(indexes.find('p', catalogue)).toBe('loading');
    load.fail();
    (await read(2)).answer();
    const index = await ready(indexes, catalogue);
    expect(index).toBeInstanceOf(SearchIndex);
    expect(reads).toHaveLength(3);
    expect(catalogue.sidecar).not.toBeNull();
  });
});
