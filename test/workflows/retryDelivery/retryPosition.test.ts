import { describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS } from '../../../domain/webhooks/retrySchedule.ts';
import { RetryPosition, leftOf } from '../../../workflows/retryDelivery/retryPosition.ts';

const MINUTE = 60_000;
const NOW = 1_700_000_000_000;

describe('the rest of a wait', () => {
  it.each([
    ['the whole wait if it is read at once', NOW + 5 * MINUTE, 5 * MINUTE],
    ['shortened by the time in which nobody read it', NOW + 2 * MINUTE, 2 * MINUTE],
    ['nothing if that took longer', NOW - 25 * MINUTE, 0],
    ['no longer than the wait, however clocks differ', NOW + 90 * MINUTE, 5 * MINUTE],
  ])('is %s', (_case, dueAt, left) => expect(leftOf({ attemptsMade: 2, waitMs: 5 * MINUTE, dueAt }, NOW)).toBe(left));

  it('is the full wait if an older relay did not say when it is due', () => {
    expect(leftOf({ attemptsMade: 2, waitMs: 5 * MINUTE }, NOW)).toBe(5 * MINUTE);
  });
});

describe('the position of a retry lane', () => {
  it('ignores known moves, and uses the latest of the others', () => {
    const position = new RetryPosition({ attemptsMade: 3 }, MINUTE);
    position.onMoved({ attemptsMade: 3, waitMs: 1 });
    expect([position.hasMove, position.applyMove()]).toEqual([false, false]);
    position.onMoved({ attemptsMade: 5, waitMs: 2 });
    position.onMoved({ attemptsMade: 4, waitMs: 1 });
    expect([position.hasMove, position.applyMove(), position.applyMove()]).toEqual([true, true, false]);
    expect(position).toMatchObject({ attemptsMade: 5, waitMs: 2, hasMove: false });
  });

  it('asks less and less often while others are sending, and waits if it is only early', () => {
    const position = new RetryPosition({ attemptsMade: 1 }, 0);
    const waits = [undefined, undefined, 40_000, undefined].map((waitMs) => {
      position.follow({ state: 'busy', ...(waitMs !== undefined && { waitMs }) });
      return [position.waitMs, position.waitSummary];
    });
    expect(waits).toEqual([
      [2_000, `Asking again for attempt 2 of ${MAX_ATTEMPTS}`],
      [4_000, `Asking again for attempt 2 of ${MAX_ATTEMPTS}`],
      [40_000, `Until attempt 2 of ${MAX_ATTEMPTS}`],
      [2_000, `Asking again for attempt 2 of ${MAX_ATTEMPTS}`],
    ]);
  });
});
