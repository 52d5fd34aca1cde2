import { describe, expect, it } from '@jest/globals';
import { fingerprintOfGrey } from '../../../../activities/media/pictures/sameFrames.ts';
import { minimumGap, selectFrames, type Candidate } from '../../../../activities/media/pictures/frameSelection.ts';

/** Returns a frame of a scene, which is one of several clearly different patterns; 'flat' is black. */
function candidate(ts: number, scene: number | 'flat'): Candidate {
  const grey = (at: number) =>
    scene === 'flat' ? 0 : Math.imul(Math.floor(at / 16) + scene * 7919, 0x9e3779b1) >>> 24;
  return {
    ts,
    file: `frame-${ts * 1000}.jpg`,
    fingerprint: fingerprintOfGrey(Uint8Array.from({ length: 128 * 128 }, (_, at) => grey(at))),
  };
}

const select = (candidates: Candidate[], limit = 60) =>
  selectFrames(candidates, { gapSec: 2, limit }).map(({ ts, duplicateOfTs }) => [ts, duplicateOfTs]);

describe('minimumGap', () => {
  // proves: decisions-media/frames
  it('is 2 s, or a sixtieth of a long medium', () => {
    expect([null, 60, 120, 2400].map(minimumGap)).toEqual([2, 2, 2, 40]);
  });
});

describe('selectFrames', () => {
  // proves: decisions-media/frames
  it('keeps the first, middle and last frame of a still picture', () => {
    expect(select(Array.from({ length: 21 }, (_, at) => candidate(at, 1)))).toEqual([
      [0, null],
      [10, 0],
      [20, 0],
    ]);
  });

  it('keeps a new scene and marks the return to an earlier one', () => {
    const scenes = [1, 1, 2, 2, 1, 1, 3, 3, 2, 2, 2];
    expect(select(scenes.map((scene, at) => candidate(at * 3, scene)))).toEqual([
      [0, null],
      [6, null],
      [12, 0],
      [15, 0],
      [18, null],
      [24, 6],
      [30, 6],
    ]);
  });

  it('keeps no two frames closer than the gap, except the anchors', () => {
    const kept = select(Array.from({ length: 41 }, (_, at) => candidate(at * 0.5, at))).map(([ts]) => Number(ts));
    const gaps = kept.slice(1).map((ts, at) => ts - (kept[at] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1.99);
    expect(kept).toEqual(expect.arrayContaining([0, 10, 20]));
  });

  // proves: decisions-media/frames
  it('keeps no more than the limit, including the anchors', () => {
    const kept = select(
      Array.from({ length: 200 }, (_, at) => candidate(at * 2, at)),
      60,
    );
    expect(kept).toHaveLength(60);
    expect(kept.at(-1)?.[0]).toBe(398);
  });

  it('skips flat frames between the anchors', () => {
    expect(
      select([candidate(0, 1), candidate(2, 'flat'), candidate(4, 2), candidate(6, 'flat'), candidate(8, 3)]).map(
        ([ts]) => ts,
      ),
    ).toEqual([0, 4, 8]);
  });

  it('works with one candidate and with none', () => {
    expect(select([candidate(0, 1)])).toEqual([[0, null]]);
    expect(select([])).toEqual([]);
  });
});
