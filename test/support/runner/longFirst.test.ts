import { describe, expect, it } from '@jest/globals';
import { basename, join } from 'node:path';
import LongFirst, { longestFirst } from './longFirst.ts';

const file = (name: string) => ({ path: join(import.meta.dirname, '../..', name) });
const RECORDED = { 'a.test.ts': 1, 'b.test.ts': 60, 'c.test.ts': 5 };

describe('the order of test files', () => {
  it('is the longest first, after those without a measurement', () => {
    const files = ['a', 'b', 'c', 'new'].map((name) => file(`${name}.test.ts`));
    expect(longestFirst(files, RECORDED).map(({ path }) => basename(path, '.test.ts'))).toEqual(['new', 'b', 'c', 'a']);
  });

  it('comes from the record of this checkout, and its shards contain every file once', () => {
    const files = ['whole/chaos.test.ts', 'domain/jobs/ids.test.ts', 'config.test.ts'].map(file);
    const order = new LongFirst();
    expect(order.sort(files)[0]).toEqual(files[0]);
    const shards = [1, 2].flatMap((shardIndex) => order.shard(files, { shardIndex, shardCount: 2 }));
    expect(new Set(shards)).toEqual(new Set(files));
    expect(shards).toHaveLength(files.length);
  });
});
