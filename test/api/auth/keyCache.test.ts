import { describe, expect, it } from '@jest/globals';
import { cacheByHash, KEY_CACHE_TTL_MS, touchEveryMinute } from '../../../api/auth/keyCache.ts';

const HASH = Buffer.from('hash');

describe('cacheByHash', () => {
  it('asks once for many at a time, and again after its time', async () => {
    let now = 0;
    let asked = 0;
    const { ownerOf } = cacheByHash(
      () => Promise.resolve(++asked),
      () => now,
    );
    expect(await Promise.all([ownerOf(HASH), ownerOf(HASH), ownerOf(Buffer.from('hash'))])).toEqual([1, 1, 1]);
    now = KEY_CACHE_TTL_MS - 1;
    expect(await ownerOf(HASH)).toBe(1);
    now = KEY_CACHE_TTL_MS;
    expect(await ownerOf(HASH)).toBe(2);
  });

  it("remembers that a key is nobody's", async () => {
    let asked = 0;
    const { ownerOf } = cacheByHash(() => {
      asked += 1;
      return Promise.resolve(null);
    });
    await ownerOf(HASH);
    await ownerOf(HASH);
    expect(asked).toBe(1);
  });

  it('forgets a look-up that failed', async () => {
    let asked = 0;
    const { ownerOf } = cacheByHash(() =>
      ++asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve('owner'),
    );
    await expect(ownerOf(HASH)).rejects.toThrow('away');
    expect(await ownerOf(HASH)).toBe('owner');
  });
});

describe('a cache that is told to forget', () => {
  it('asks anew, also for a key whose look-up runs just then', async () => {
    const answers: ((owner: string) => void)[] = [];
    const { ownerOf, forget } = cacheByHash(() => new Promise<string>((resolve) => void answers.push(resolve)));
    const before = ownerOf(HASH);
    forget();
    const after = ownerOf(HASH);
    expect(answers).toHaveLength(2);
    answers[1]?.('new');
    answers[0]?.('old');
    expect([await before, await after, await ownerOf(HASH)]).toEqual(['old', 'new', 'new']);
  });
});

describe('touchEveryMinute', () => {
  it('touches each id once a minute, and again soon after a failure', async () => {
    let now = 0;
    const touched: string[] = [];
    const touch = touchEveryMinute(() => now);
    const note = (id: string) => () => {
      touched.push(id);
      return Promise.resolve();
    };
    touch('a', note('a'));
    touch('a', note('a'));
    touch('b', note('b'));
    now = 60_000;
    touch('a', note('a'));
    expect(touched).toEqual(['a', 'b', 'a']);
    touch('c', () => Promise.reject(new Error('away')));
    await Promise.resolve();
    await Promise.resolve();
    touch('c', note('c'));
    expect(touched.at(-1)).toBe('c');
  });
});
