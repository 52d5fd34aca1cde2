import { describe, expect, it } from '@jest/globals';
import { isFinished, isSilent, liesInSilence, nextCut, type Loudness } from '../../../providers/openai/speechPieces.ts';

const loud = (durationSec: number, overrides: Partial<Loudness> = {}): Loudness => ({
  durationSec,
  levels: Array.from({ length: Math.ceil(durationSec) }, () => -20),
  silences: [],
  ...overrides,
});

describe('cutting a recording', () => {
  it('takes a rest that fits whole', () => {
    expect(nextCut(loud(599), 0, 600)).toBe(599);
    expect(nextCut(loud(700), 650, 60)).toBe(700);
  });

  it('cuts in the middle of the longest pause of the last quarter', () => {
    const silences = [
      { start: 100, end: 130 },
      { start: 460, end: 461 },
      { start: 500, end: 504 },
      { start: 598, end: 620 },
    ];
    expect(nextCut(loud(1_000, { silences }), 0, 600)).toBe(502);
  });

  it('cuts in the quietest second where nobody pauses', () => {
    const sound = loud(1_000);
    sound.levels[550] = -35;
    sound.levels[100] = -50;
    expect(nextCut(sound, 0, 600)).toBe(550.5);
  });

  it('cuts hard where nothing was measured', () => {
    expect(nextCut(loud(1_000, { levels: [] }), 0, 600)).toBe(600);
  });

  it.each([60, 600])('always moves on and never past %d s', (maxSec) => {
    const silences = Array.from({ length: 400 }, (_, index) => ({ start: index * 37.3, end: index * 37.3 + 0.4 }));
    const sound = loud(14_400, { silences });
    let start = 0;
    let pieces = 0;
    while (!isFinished(sound, start)) {
      const end = nextCut(sound, start, maxSec);
      expect(end - start).toBeLessThanOrEqual(maxSec);
      expect(end === sound.durationSec || end - start >= maxSec * 0.75).toBe(true);
      start = end;
      pieces += 1;
    }
    expect(start).toBe(14_400);
    expect(pieces).toBeLessThanOrEqual(Math.ceil(14_400 / (maxSec * 0.75)));
  });

  it('has nothing to cut in an empty recording', () => {
    expect(isFinished(loud(0), 0)).toBe(true);
  });
});

describe('silence', () => {
  it('is a piece without one second of possible speech', () => {
    const levels = [-Infinity, -70, -60, -40];
    expect(isSilent(loud(4, { levels }), { start: 0, end: 3 })).toBe(true);
    expect(isSilent(loud(4, { levels }), { start: 0, end: 4 })).toBe(false);
  });

  it('is not assumed where nothing was measured', () => {
    expect(isSilent(loud(4, { levels: [] }), { start: 0, end: 3 })).toBe(false);
  });

  it('holds a segment that lies in it by nine tenths', () => {
    const levels = [-70, -70, -70, -70, -20];
    expect(liesInSilence(loud(5, { levels }), { start: 0, end: 4.4 })).toBe(true);
    expect(liesInSilence(loud(5, { levels }), { start: 0, end: 4.6 })).toBe(false);
    expect(liesInSilence(loud(5, { levels }), { start: 2, end: 2 })).toBe(false);
  });
});
