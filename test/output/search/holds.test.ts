import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { SearchHolds } from '../../../output/search/index/heldIndexes.ts';
import { SearchIndex } from '../../../output/search/index/searchIndex.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { catalogueOf, change } from '../support/catalogues.ts';

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

describe('the words of a catalogue', () => {
  it('are read again after a fault, whatever the outcome of earlier reads', async () => {
    const { reads, pool } = heldReads();
    const catalogue = catalogueOf([change('a')], []);
    const holds = new SearchHolds({
      pool,
      logger: createLogger('selection', 'silent'),
      hasRoom: () => true,
      isHeld: () => true,
    });
    const read = (at: number) => eventually(() => reads[at] ?? null, `read ${at}`);
    expect(holds.find('p', catalogue)).toBe('loading');
    const load = await read(0);
    const following = holds.follow('p', catalogue, ['a']);
    (await read(1)).fail();
    await expect(following).rejects.toThrow('the database is away');
    expect(holds.find('p', catalogue)).toBe('loading');
    load.fail();
    (await read(2)).answer();
    const index = await eventually(() => {
      const found = holds.find('p', catalogue);
      return typeof found === 'object' ? found : null;
    }, 'the words');
    expect(index).toBeInstanceOf(SearchIndex);
    expect(reads).toHaveLength(3);
    expect(catalogue.companion).not.toBeNull();
  });
});
