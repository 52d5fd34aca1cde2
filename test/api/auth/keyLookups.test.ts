import { describe, expect, it } from '@jest/globals';
import { createKeyLookups, FAILED_LOOKUPS } from '../../../api/auth/keyLookups.ts';

const { capacity, perSecond } = FAILED_LOOKUPS;
const IP = '203.0.113.1';
let count = 0;
const newHash = (): Buffer => Buffer.from(`hash ${count++}`);
const nobody = () => Promise.resolve(null);
const somebody = () => Promise.resolve('owner');
const refused = { status: 429, retryAfter: 1 };

describe('lookups of keys', () => {
  it('are limited by address if they find nothing, and are allowed again with time', async () => {
    let now = 0;
    const lookups = createKeyLookups(() => now);
    for (let index = 0; index < capacity; index++) expect(await lookups.find(IP, newHash(), nobody)).toBeNull();
    await expect(lookups.find(IP, newHash(), nobody)).rejects.toMatchObject(refused);
    expect(await lookups.find('203.0.113.2', newHash(), nobody)).toBeNull();
    now = 1000 / perSecond;
    expect(await lookups.find(IP, newHash(), nobody)).toBeNull();
    await expect(lookups.find(IP, newHash(), nobody)).rejects.toMatchObject(refused);
  });

  it('are counted per network for IPv6', async () => {
    const lookups = createKeyLookups(() => 0);
    for (let index = 0; index < capacity; index++) await lookups.find(`2001:db8::${index + 1}`, newHash(), nobody);
    await expect(lookups.find('2001:db8::ffff', newHash(), nobody)).rejects.toMatchObject(refused);
  });

  it('charge nothing for a valid key, and pass anybody whose key was valid a moment ago', async () => {
    const lookups = createKeyLookups(() => 0);
    const hash = newHash();
    for (let index = 0; index < 3 * capacity; index++)
      expect(await lookups.find(IP, newHash(), somebody)).toBe('owner');
    await lookups.find(IP, hash, somebody);
    for (let index = 0; index < capacity; index++) await lookups.find(IP, newHash(), nobody);
    expect(await lookups.find(IP, hash, somebody)).toBe('owner');
    // From here on the revoked key is an unknown key like any other.
    expect(await lookups.find(IP, hash, nobody)).toBeNull();
    await expect(lookups.find(IP, hash, nobody)).rejects.toMatchObject(refused);
  });

  it('wait for each other in a burst: many valid keys pass, and many unknown keys cost no more than the budget', async () => {
    const lookups = createKeyLookups(() => 0);
    let asked = 0;
    const late = async <T>(value: T): Promise<T> => {
      asked += 1;
      await new Promise(setImmediate);
      return value;
    };
    const burst = Array.from({ length: 5 * capacity }, () => lookups.find(IP, newHash(), () => late('owner')));
    expect(new Set(await Promise.all(burst))).toEqual(new Set(['owner']));
    asked = 0;
    const flood = Array.from({ length: 2_000 }, () => lookups.find(IP, newHash(), () => late(null)));
    const outcomes = await Promise.allSettled(flood);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(capacity);
    expect(asked).toBe(capacity);
  });

  it('charge nothing for a lookup that fails', async () => {
    const lookups = createKeyLookups(() => 0);
    for (let index = 0; index < 2 * capacity; index++)
      await expect(lookups.find(IP, newHash(), () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await lookups.find(IP, newHash(), nobody)).toBeNull();
  });
});
