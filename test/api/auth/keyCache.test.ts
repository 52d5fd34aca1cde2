import { describe, expect, it } from '@jest/globals';
import { cacheByHash, KEY_CACHE_TTL_MS, touchEveryMinute } from '../../../api/auth/keyCache.ts';
import { createKeyLookups } from '../../../api/auth/keyLookups.ts';

const HASH = Buffer.from('hash');
const IP = '203.0.113.1';

describe('cacheByHash', () => {
  it('shares a look-up among simultaneous callers, and repeats it after its lifetime', async () => {
    let now = 1;
    let asked = 0;
    const { ownerOf } = cacheByHash(
      () => Promise.resolve(++asked),
      createKeyLookups(),
      () => now,
    );
    expect(await Promise.all([ownerOf(HASH, IP), ownerOf(HASH, IP), ownerOf(Buffer.from('hash'), IP)])).toEqual([
      1, 1, 1,
    ]);
    now += KEY_CACHE_TTL_MS;
    expect(await ownerOf(HASH, IP)).toBe(1);
    now += 1;
    expect(await ownerOf(HASH, IP)).toBe(2);
  });

  it('remembers that a key belongs to nobody', async () => {
    let asked = 0;
    const { ownerOf } = cacheByHash(() => {
      asked += 1;
      return Promise.resolve(null);
    }, createKeyLookups());
    await ownerOf(HASH, IP);
    await ownerOf(HASH, IP);
    expect(asked).toBe(1);
  });

  it('forgets a failed look-up', async () => {
    let asked = 0;
    const { ownerOf } = cacheByHash(
      () => (++asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve('owner')),
      createKeyLookups(),
    );
    await expect(ownerOf(HASH, IP)).rejects.toThrow('away');
    expect(await ownerOf(HASH, IP)).toBe('owner');
  });
});

describe('a flood of unknown keys', () => {
  it('does not push out a valid key', async () => {
    const asked: string[] = [];
    const { ownerOf } = cacheByHash(
      (hash) => {
        asked.push(hash.toString());
        return Promise.resolve(hash.equals(HASH) ? 'owner' : null);
      },
      { find: (_ip, _hash, lookup) => lookup() },
      () => 1,
    );
    await ownerOf(HASH, IP);
    for (let index = 0; index < 20_001; index++) await ownerOf(Buffer.from(`random ${index}`), IP);
    expect(await ownerOf(HASH, IP)).toBe('owner');
    expect(asked.filter((text) => text === 'hash')).toHaveLength(1);
  });
});

describe('a cache that is invalidated', () => {
  it('looks a key up again, even if a look-up of it is running', async () => {
    const answers: ((owner: string) => void)[] = [];
    const { ownerOf, invalidate } = cacheByHash(() => new Promise<string>((resolve) => void answers.push(resolve)), {
      find: (_ip, _hash, lookup) => lookup(),
    });
    const before = ownerOf(HASH, IP);
    invalidate();
    const after = ownerOf(HASH, IP);
    expect(answers).toHaveLength(2);
    answers[1]?.('new');
    answers[0]?.('old');
    expect([await before, await after, await ownerOf(HASH, IP)]).toEqual(['old', 'new', 'new']);
  });
});

describe('touchEveryMinute', () => {
  // proves: decisions-keys/last-used
  it('touches each id once a minute, and again soon after a failure', async () => {
    let now = 1;
    const touched: string[] = [];
    const touch = touchEveryMinute(() => now);
    const note = (id: string) => () => {
      touched.push(id);
      return Promise.resolve();
    };
    touch('a', note('a'));
    touch('a', note('a'));
    touch('b', note('b'));
    now += 60_001;
    touch('a', note('a'));
    expect(touched).toEqual(['a', 'b', 'a']);
    touch('c', () => Promise.reject(new Error('away')));
    await Promise.resolve();
    await Promise.resolve();
    touch('c', note('c'));
    expect(touched.at(-1)).toBe('c');
  });
});
