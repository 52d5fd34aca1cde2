import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SUMS } from '../../../../domain/output/popularity.ts';
import type { Catalogue } from '../../../../output/selection/catalogue/catalogue.ts';
import { catalogueOf, change } from '../../support/catalogues.ts';
import { later } from '../../support/later.ts';

const DAY_MS = 86_400_000;
const counts = (count: number) => Array.from({ length: SUMS }, () => count);

/** Two items published a month apart, without any events. */
function twoItems(): Catalogue {
  const ago = (days: number) => ({ publishedAt: new Date(Date.now() - days * DAY_MS) });
  return catalogueOf([change('new', ago(0)), change('old', ago(30))]);
}

function largeCatalogue(): Catalogue {
  return catalogueOf(Array.from({ length: 2_000 }, (_, n) => change(`item-${n}`)));
}

/** Lets other work of the event loop run until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}

/** Requests a value that is derived from priors, and returns a counter of how often it was computed. */
function asking(catalogue: Catalogue, name = 'a thing'): () => number {
  let made = 0;
  const make = () => {
    made += 1;
    return { byteLength: 100 };
  };
  return () => {
    catalogue.priors.keep(name, make);
    return made;
  };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a value computed from priors', () => {
  it('is kept under its name while nothing changes', () => {
    const catalogue = twoItems();
    const [ask, askOther] = [asking(catalogue), asking(catalogue, 'another thing')];
    expect([ask(), ask(), askOther(), ask()]).toEqual([1, 1, 1, 1]);
    expect(catalogue.priors.bytes).toBe(200);
  });

  it('is computed again when a count has changed', () => {
    const catalogue = twoItems();
    const ask = asking(catalogue);
    ask();
    catalogue.popularity.set(1, counts(9));
    expect([ask(), ask()]).toEqual([2, 2]);
  });

  it('is kept for a while in a large catalogue although counts change, and is then computed between the answers', async () => {
    const catalogue = largeCatalogue();
    const ask = asking(catalogue);
    // Time stands still from here on.
    later(0);
    ask();
    catalogue.popularity.set(1, counts(9));
    expect(ask()).toBe(1);
    later(199);
    expect(ask()).toBe(1);
    later(2);
    const before = catalogue.priors;
    expect([ask(), ask()]).toEqual([1, 1]);
    await until(() => catalogue.priors !== before);
    expect([ask(), ask()]).toEqual([2, 2]);
  });

  it('is not renewed if nobody has used it since the last renewal', async () => {
    const catalogue = largeCatalogue();
    const [ask, askOther] = [asking(catalogue), asking(catalogue, 'another thing')];
    later(0);
    ask();
    askOther();
    const renewed = async () => {
      const before = catalogue.priors;
      later(61_000);
      await until(() => catalogue.priors !== before);
    };
    await renewed();
    expect(ask()).toBe(2);
    await renewed();
    expect([ask(), askOther()]).toEqual([3, 3]);
    expect(catalogue.priors.bytes).toBe(200);
  });

  it('is computed at once in a large catalogue that nobody has asked about for minutes', () => {
    const catalogue = largeCatalogue();
    const ask = asking(catalogue);
    ask();
    later(2 * 60_000 + 1);
    expect([ask(), ask()]).toEqual([2, 2]);
  });

  it('is computed at once, and throws its error, when it could not be computed between the answers', async () => {
    const catalogue = largeCatalogue();
    let isBroken = false;
    const ask = () =>
      catalogue.priors.keep('a thing', () => {
        if (isBroken) throw new Error('broken');
        return { byteLength: 100 };
      });
    ask();
    isBroken = true;
    later(61_000);
    const before = catalogue.priors;
    await until(() => catalogue.priors !== before);
    expect(ask).toThrow('broken');
  });

  it('is computed again when there is another item, but not when one has changed', () => {
    const catalogue = twoItems();
    const ask = asking(catalogue);
    ask();
    catalogue.apply([change('old', { author: 'a-1' })]);
    expect(ask()).toBe(1);
    catalogue.apply([change('third')]);
    expect([ask(), ask()]).toEqual([2, 2]);
  });

  it('is computed again after a minute', () => {
    const catalogue = twoItems();
    const ask = asking(catalogue);
    ask();
    later(59_000);
    expect(ask()).toBe(1);
    later(2_000);
    expect([ask(), ask()]).toEqual([2, 2]);
  });

  it('makes room, the oldest first', () => {
    const catalogue = twoItems();
    const asks = Array.from({ length: 25 }, (_, n) => asking(catalogue, `thing ${n}`));
    for (const ask of asks) ask();
    expect(catalogue.priors.bytes).toBe(2_400);
    expect([asks[24]?.(), asks[1]?.(), asks[0]?.()]).toEqual([1, 1, 2]);
  });
});

describe('priors', () => {
  it('match the current catalogue, for every slot', () => {
    const catalogue = twoItems();
    expect([...catalogue.priors.popularity('7d')]).toEqual([0, 0]);
    catalogue.popularity.set(1, counts(9));
    expect([...catalogue.priors.popularity('7d')]).toEqual([0, 1]);
    catalogue.apply([change('third')]);
    expect([...catalogue.priors.popularity('7d')]).toEqual([0, 1, 0]);
    expect(catalogue.priors.recency).toHaveLength(3);
  });

  it('of a large catalogue are kept while few items are added, and the recency of these is still computed', () => {
    const catalogue = largeCatalogue();
    const { recency } = catalogue.priors;
    catalogue.apply([change('new', { publishedAt: new Date() })]);
    expect(catalogue.priors.recency).toBe(recency);
    expect(catalogue.priors.recencyOf(2_000)).toBeCloseTo(1, 5);
    expect(catalogue.priors.recencyOf(1_999)).toBe(recency[1_999]);
  });

  it('of a large catalogue are computed at once when many items are added', () => {
    const catalogue = largeCatalogue();
    expect(catalogue.priors.recency).toHaveLength(2_000);
    catalogue.apply(Array.from({ length: 1_001 }, (_, n) => change(`other-${n}`)));
    expect(catalogue.priors.recency).toHaveLength(3_001);
  });

  it('decay, and are computed again once a minute', () => {
    const catalogue = twoItems();
    const before = [...catalogue.priors.recency];
    expect(before[0]).toBeCloseTo(1, 5);
    expect(before[1]).toBeCloseTo(0.5, 5);
    later(50_000);
    expect([...catalogue.priors.recency]).toEqual(before);
    later(30 * DAY_MS);
    const [first, second] = catalogue.priors.recency;
    expect(first).toBeCloseTo(0.5, 5);
    expect(second).toBeCloseTo(1 / 3, 5);
  });
});
