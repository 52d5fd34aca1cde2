import { describe, expect, it } from '@jest/globals';
import { createPasswordHasher, TooManyPasswordsError } from '../../../platform/process/passwordHasher.ts';
import { cheapHash } from '../../api/support/people.ts';

const { hash, verify, isOutdated } = createPasswordHasher();

describe('a password', () => {
  it('matches its hash, and no other does', async () => {
    const stored = await hash('верный пароль');
    expect(await verify('верный пароль', stored)).toBe(true);
    for (const wrong of ['', 'верный парол', 'Верный пароль', 'верный пароль '])
      expect(await verify(wrong, stored)).toBe(false);
  });

  it('is hashed with the current cost and its own salt', async () => {
    const [one, other] = [await hash('same'), await hash('same')];
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(one).not.toBe(other);
  });

  it('is the same however its characters are composed', async () => {
    expect(await verify('й ﬁ', await hash('и\u0306 fi'))).toBe(true);
  });

  it('matches a hash with another cost, which is then outdated', async () => {
    expect(await verify('old', cheapHash('old'))).toBe(true);
    expect(await verify('new', cheapHash('old'))).toBe(false);
    expect([isOutdated(cheapHash('old')), isOutdated(await hash('x'))]).toEqual([true, false]);
  });

  it('never matches without a hash', async () => {
    expect(await verify('', null)).toBe(false);
  });

  it('is not compared with a malformed hash', async () => {
    await expect(verify('x', 'plain text')).rejects.toThrow('unknown form');
  });
});

describe('many passwords at once', () => {
  it('wait in line, up to 40, and all are handled; the rest are refused at once', async () => {
    const hasher = createPasswordHasher();
    const stored = cheapHash('right');
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => hasher.verify('right', stored)));
    expect(results.slice(0, 42)).toEqual(Array.from({ length: 42 }, () => ({ status: 'fulfilled', value: true })));
    for (const result of results.slice(42))
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(TooManyPasswordsError) });
    // No place in the queue is lost: the queue is empty again.
    expect(await hasher.verify('right', stored)).toBe(true);
  });

  it('do not block the event loop', async () => {
    const hasher = createPasswordHasher();
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    await Promise.all([hasher.hash('a'), hasher.hash('b')]);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});
