import { describe, expect, it } from '@jest/globals';
import { ReportsBusyError } from '../../../reports/engines/errors.ts';
import { MOST_WAITING, Turns } from '../../../reports/engines/turns.ts';

const LONG = 60_000;

/** Enters and notes when it is its turn. */
function queue(turns: Turns): { enter(site: string, name: string): void; log: string[] } {
  const log: string[] = [];
  return { log, enter: (site, name) => void turns.enter(site, LONG).then(() => log.push(name)) };
}
/** Whatever can go on without a timer has. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turns of reports', () => {
  it('leave a place for another site', async () => {
    const turns = new Turns(3);
    const { enter, log } = queue(turns);
    for (const name of ['a1', 'a2', 'a3']) enter('a', name);
    await settled();
    expect([log, turns.running, turns.waiting]).toEqual([['a1', 'a2'], 2, 1]);
    enter('b', 'b1');
    await settled();
    expect(log).toEqual(['a1', 'a2', 'b1']);
    turns.leave('b');
    await settled();
    expect(log).toEqual(['a1', 'a2', 'b1']);
    turns.leave('a');
    await settled();
    expect(log).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('are no site’s alone: who waits longest for its turn is next, whoever came first', async () => {
    const turns = new Turns(1);
    const { enter, log } = queue(turns);
    for (const name of ['a1', 'a2', 'a3']) enter('a', name);
    for (const name of ['b1', 'b2']) enter('b', name);
    for (const site of ['a', 'b', 'a', 'b']) {
      await settled();
      turns.leave(site);
    }
    await settled();
    expect(log).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('are refused when too many wait, of a site or of all', async () => {
    const turns = new Turns(1);
    const over = new AbortController();
    const entered: Promise<void>[] = [];
    const enter = (site: string): void => void entered.push(turns.enter(site, LONG, over.signal));
    for (let n = 0; n <= MOST_WAITING.ofSite; n += 1) enter('a');
    await expect(turns.enter('a', LONG)).rejects.toThrow(ReportsBusyError);
    for (let n = MOST_WAITING.ofSite; n < MOST_WAITING.all; n += 1) enter(`site${n}`);
    await expect(turns.enter('b', LONG)).rejects.toThrow(ReportsBusyError);
    over.abort(new Error('over'));
    expect((await Promise.allSettled(entered)).filter(({ status }) => status === 'rejected')).toHaveLength(
      MOST_WAITING.all,
    );
  });

  it('are given up in time and by whoever is gone, and go to the next', async () => {
    const turns = new Turns(1);
    await turns.enter('a', LONG);
    await expect(turns.enter('b', 1)).rejects.toThrow(ReportsBusyError);
    const gone = new AbortController();
    const waiting = turns.enter('b', LONG, gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(turns.enter('b', LONG, gone.signal)).rejects.toThrow('gone');
    expect(turns.waiting).toBe(0);
    turns.leave('a');
    await turns.enter('b', LONG);
    expect(turns.running).toBe(1);
  });
});
