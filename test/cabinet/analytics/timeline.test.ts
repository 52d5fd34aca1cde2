/** The times of a recording while it arrives. */
import { describe, expect, it } from '@jest/globals';
import { Timeline } from '../../../cabinet/src/replay/timeline.ts';

const [FULL_SNAPSHOT, INCREMENTAL, META] = [2, 3, 4];
const CLICK = 2;
const START = 1_700_000_000_000;

const event = (type: number, at: number, data: Record<string, unknown> = {}) => ({ type, timestamp: START + at, data });
const click = (at: number) => event(INCREMENTAL, at, { source: CLICK });

describe('the timeline of a recording', () => {
  it('is empty until events arrive, then begins with the first and ends with the last', () => {
    const timeline = new Timeline();
    timeline.add([]);
    expect(timeline).toMatchObject({ beginning: null, until: 0, gaps: [] });
    timeline.add([event(META, 0), click(2_000)]);
    timeline.add([click(5_000)]);
    expect(timeline).toMatchObject({ beginning: START, until: 5_000, gaps: [] });
  });

  it('skips a stretch without activity, except for a second at its beginning and end', () => {
    const timeline = new Timeline();
    timeline.add([click(0), click(60_000)]);
    const gap = { from: 0, to: 60_000 };
    expect(timeline.gaps).toEqual([gap]);
    expect([0, 999, 1_000, 57_999, 58_000, 60_000].map((at) => timeline.skippedAt(at))).toEqual([
      undefined,
      undefined,
      gap,
      gap,
      undefined,
      undefined,
    ]);
    expect(timeline.endOf(gap)).toBe(59_000);
  });

  it('makes a page that begins at a position, and the last event, visible a millisecond after it', () => {
    const timeline = new Timeline();
    timeline.add([event(META, 0), event(FULL_SNAPSHOT, 40), click(900)]);
    expect([0, 40, 500, 900, 2_000].map((at) => timeline.visibleFrom(at))).toEqual([41, 41, 500, 901, 901]);
  });
});
