import { describe, expect, it } from '@jest/globals';
import { FairSlots } from '../../../../platform/process/concurrency/fairSlots.ts';

const NEVER = new AbortController().signal;

/** Returns work that a test ends; it records when it begins. */
function pieces(slots: FairSlots) {
  const begun: string[] = [];
  return {
    begun,
    start(name: string, signal: AbortSignal = NEVER) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const done = slots.run(name.charAt(0), signal, () => {
        begun.push(name);
        return promise;
      });
      done.catch(() => {});
      return { end: () => resolve(name), fail: () => reject(new Error(name)), done };
    },
  };
}

const settle = (): Promise<void> => new Promise(setImmediate);

describe('slots', () => {
  it('let a limited number work at a time, and the others in the order of their requests', async () => {
    const { begun, start } = pieces(new FairSlots(2));
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => start(name));
    await settle();
    expect(begun).toEqual(['a', 'b']);
    b?.end();
    expect(await b?.done).toBe('b');
    await settle();
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const piece of [a, c]) piece?.end();
    await settle();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    d?.end();
    expect(await d?.done).toBe('d');
  });

  it('are free again after failed work', async () => {
    const { begun, start } = pieces(new FairSlots(1));
    const failing = start('failing');
    const next = start('next');
    failing.fail();
    await expect(failing.done).rejects.toThrow('failing');
    next.end();
    await next.done;
    expect(begun).toEqual(['failing', 'next']);
  });

  it('are not taken by callers that gave up', async () => {
    const { begun, start } = pieces(new FairSlots(1));
    const first = start('first');
    const impatient = new AbortController();
    const second = start('second', impatient.signal);
    const third = start('third');
    impatient.abort(new Error('let go of'));
    await expect(second.done).rejects.toThrow('let go of');
    first.end();
    await settle();
    expect(begun).toEqual(['first', 'third']);
    third.end();
    await third.done;
    await expect(start('late', impatient.signal).done).rejects.toThrow('let go of');
  });

  it('go to the key that has the fewest, and never all to one', async () => {
    const { begun, start } = pieces(new FairSlots(4, 3));
    const [first] = ['p1', 'p2', 'p3', 'p4', 'p5'].map((name) => start(name));
    await settle();
    expect(begun).toEqual(['p1', 'p2', 'p3']);
    start('q1');
    await settle();
    expect(begun).toEqual(['p1', 'p2', 'p3', 'q1']);
    start('r1');
    first?.end();
    await settle();
    expect(begun.at(-1)).toBe('r1');
  });
});
