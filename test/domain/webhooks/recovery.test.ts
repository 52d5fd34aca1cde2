import { describe, expect, it } from '@jest/globals';
import {
  freeSlots,
  nextRoom,
  pagePauseMs,
  MAX_RECOVERY_RETRIES,
  RECOVERY_ROOM,
} from '../../../domain/webhooks/recovery.ts';

const { first, least, most } = RECOVERY_ROOM;

/** Simulates the queue, page after page half a second apart, for a receiver that accepts `perSecond` a second. */
function follow(perSecond: number, pages: number): { room: number; waiting: number } {
  let [room, waiting]: [number, number] = [first, 0];
  for (let page = 0; page < pages; page += 1) {
    room = nextRoom(room, waiting);
    waiting += freeSlots(room, { waiting, retrying: 0, isOverBacklog: false });
    waiting = Math.max(0, waiting - perSecond / 2);
  }
  return { room, waiting };
}

describe('the room of a recovery', () => {
  it('is all that a fast receiver accepts within half a second', () => {
    expect(follow(2_000, 10)).toEqual({ room: most, waiting: 0 });
  });

  it('is the minimum for a slow or silent one', () => {
    expect(follow(1.6, 10).room).toBe(least);
    expect(follow(0, 10)).toEqual({ room: least, waiting: least });
  });

  it.each([100, 200, 400, 800])(
    "is at most two seconds' work for one that accepts %d a second, and keeps it busy",
    (perSecond) => {
      const { room } = follow(perSecond, 20);
      expect(room).toBeLessThanOrEqual(2 * perSecond);
      expect(room).toBeGreaterThanOrEqual(perSecond / 2);
    },
  );

  it('shrinks while fresh events wait, and lets them pass', () => {
    expect(nextRoom(most, most)).toBe(most / 2);
    expect(freeSlots(most / 2, { waiting: most, retrying: 0, isOverBacklog: false })).toBe(0);
  });
});

describe('freeSlots', () => {
  it("is 0 beyond the backlog's limit or if too many retries wait", () => {
    const load = { waiting: 0, retrying: MAX_RECOVERY_RETRIES - 1, isOverBacklog: false };
    expect(freeSlots(10, load)).toBe(10);
    expect(freeSlots(10, { ...load, retrying: MAX_RECOVERY_RETRIES })).toBe(0);
    expect(freeSlots(10, { ...load, isOverBacklog: true })).toBe(0);
  });
});

describe('pagePauseMs', () => {
  it('grows with the time in which nothing could be queued, up to a minute', () => {
    expect([pagePauseMs('part', 0), pagePauseMs('full', 0)]).toEqual([0, 500]);
    expect([0, 2_000.4, 3_600_000].map((idleMs) => pagePauseMs('nothing', idleMs))).toEqual([500, 2_000, 60_000]);
  });
});
