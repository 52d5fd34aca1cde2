import { describe, expect, it } from '@jest/globals';
import { createPageTurns } from '../../../../output/serve/page/pageTurns.ts';

const POSITION = {
  recommendationId: 'r1p.aaaaaaaaaaaaaaaaaaaaaa',
  page: 1,
  firstPosition: 10,
  bodyHash: '0'.repeat(16),
};

/** Returns work that the test ends, and that reports when it began. */
function stage() {
  const turns = createPageTurns();
  const begun: { who: string; end: (error?: Error) => void }[] = [];
  const ask = (who: string, position: typeof POSITION | null = POSITION): Promise<string> =>
    turns.inTurn('p', position, () => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      begun.push({ who, end: (error) => (error ? reject(error) : resolve(who)) });
      return promise;
    });
  return { ask, begun, names: () => begun.map(({ who }) => who) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('requests with one cursor', () => {
  it('wait while the first of them makes the page, and then all repeat the page at once', async () => {
    const { ask, begun, names } = stage();
    const asked = ['a', 'b', 'c'].map((who) => ask(who));
    await settled();
    expect(names()).toEqual(['a']);
    begun[0]?.end();
    await settled();
    expect(names()).toEqual(['a', 'b', 'c']);
    for (const { end } of begun) end();
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c']);
  });

  it('take turns as long as they fail, and only those that fail are rejected', async () => {
    const { ask, begun, names } = stage();
    const asked = ['a', 'b', 'c', 'd'].map((who) => ask(who));
    const outcomes = Promise.allSettled(asked);
    await settled();
    begun[0]?.end(new Error('no database'));
    await settled();
    expect(names()).toEqual(['a', 'b']);
    begun[1]?.end();
    await settled();
    expect(names()).toEqual(['a', 'b', 'c', 'd']);
    for (const { end } of begun) end();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  });

  it('do not wait for other pages, and requests for a first page wait for nobody', async () => {
    const { ask, names } = stage();
    const asked = [
      ask('second'),
      ask('third', { ...POSITION, page: 2 }),
      ask('first', null),
      ask('another first', null),
    ];
    await settled();
    expect(names()).toHaveLength(asked.length);
  });
});
