import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ReportsBusyError } from '../../../reports/engines/errors.ts';
import { MAX_WAITING, ReportTurns, type Asker } from '../../../reports/engines/reportTurns.ts';

const LONG = 60_000;

/** Returns who asks for a report: a site whose owner has no other, unless an owner is given. */
const of = (siteId: string, owner = siteId): Asker => ({ siteId, owner });
/** Ends the waits that a test leaves behind: Jest would wait a minute for their timers. */
let over: AbortController;
beforeEach(() => {
  over = new AbortController();
});
afterEach(() => over.abort(new Error('over')));

/** Returns a function that enters the queue, and the log of names in the order of their turns. */
function queue(turns: ReportTurns): { enter(site: string, name: string, owner?: string): void; log: string[] } {
  const log: string[] = [];
  return {
    log,
    enter: (site, name, owner) =>
      void turns.enter(of(site, owner), LONG, over.signal).then(
        () => log.push(name),
        () => {},
      ),
  };
}
/** Waits until everything that needs no timer has run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turns of reports', () => {
  it('keep a slot for another site', async () => {
    const turns = new ReportTurns(3);
    const { enter, log } = queue(turns);
    for (const name of ['a1', 'a2', 'a3']) enter('a', name);
    await settled();
    expect([log, turns.running, turns.waiting]).toEqual([['a1', 'a2'], 2, 1]);
    enter('b', 'b1');
    await settled();
    expect(log).toEqual(['a1', 'a2', 'b1']);
    turns.leave(of('b'));
    await settled();
    expect(log).toEqual(['a1', 'a2', 'b1']);
    turns.leave(of('a'));
    await settled();
    expect(log).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('alternate between sites, whichever of their reports came first', async () => {
    const turns = new ReportTurns(1);
    const { enter, log } = queue(turns);
    for (const name of ['a1', 'a2', 'a3']) enter('a', name);
    for (const name of ['b1', 'b2']) enter('b', name);
    for (const site of ['a', 'b', 'a', 'b']) {
      await settled();
      turns.leave(of(site));
    }
    await settled();
    expect(log).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('are fair by owner first: many sites of one owner share as much as the single site of another', async () => {
    const turns = new ReportTurns(1);
    const { enter, log } = queue(turns);
    for (const site of ['a', 'b']) for (const number of [1, 2]) enter(site, `${site}${number}`, 'many');
    for (const number of [1, 2, 3]) enter('c', `c${number}`, 'one');
    for (const asker of [of('a', 'many'), of('c', 'one'), of('b', 'many'), of('c', 'one'), of('a', 'many')]) {
      await settled();
      turns.leave(asker);
    }
    await settled();
    expect(log).toEqual(['a1', 'c1', 'b1', 'c2', 'a2', 'c3']);
  });

  it('keep a slot and room to wait for another owner, however many sites one has', async () => {
    const turns = new ReportTurns(3);
    const { enter, log } = queue(turns);
    const waiting: Promise<void>[] = [];
    for (const site of ['a', 'b', 'c']) enter(site, site, 'many');
    await settled();
    expect(log).toEqual(['a', 'b']);
    for (let number = 1; number < MAX_WAITING.ofOwner; number += 1)
      waiting.push(turns.enter(of(`site${number}`, 'many'), LONG, over.signal));
    await expect(turns.enter(of('z', 'many'), LONG)).rejects.toThrow(ReportsBusyError);
    enter('d', 'd', 'one');
    await settled();
    expect(log).toEqual(['a', 'b', 'd']);
    over.abort(new Error('over'));
    await Promise.allSettled(waiting);
  });

  it('are refused if too many wait, for a site or in total', async () => {
    const turns = new ReportTurns(1);
    const entered: Promise<void>[] = [];
    const enter = (site: string): void => void entered.push(turns.enter(of(site), LONG, over.signal));
    for (let n = 0; n <= MAX_WAITING.ofSite; n += 1) enter('a');
    await expect(turns.enter(of('a'), LONG)).rejects.toThrow(ReportsBusyError);
    for (let n = MAX_WAITING.ofSite; n < MAX_WAITING.all; n += 1) enter(`site${n}`);
    await expect(turns.enter(of('b'), LONG)).rejects.toThrow(ReportsBusyError);
    over.abort(new Error('over'));
    expect((await Promise.allSettled(entered)).filter(({ status }) => status === 'rejected')).toHaveLength(
      MAX_WAITING.all,
    );
  });

  it('expire in time, are given up by callers who leave, and go to the next', async () => {
    const turns = new ReportTurns(1);
    await turns.enter(of('a'), LONG);
    await expect(turns.enter(of('b'), 1)).rejects.toThrow(ReportsBusyError);
    const gone = new AbortController();
    const waiting = turns.enter(of('b'), LONG, gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(turns.enter(of('b'), LONG, gone.signal)).rejects.toThrow('gone');
    expect(turns.waiting).toBe(0);
    turns.leave(of('a'));
    await turns.enter(of('b'), LONG);
    expect(turns.running).toBe(1);
  });
});
