import { describe, expect, it } from '@jest/globals';
import {
  halvesOf,
  isSilent,
  liesInSilence,
  nextCut,
  nextPiece,
} from '../../../../providers/openai/speech/speechPieces.ts';
import type { Measured } from '../../../../providers/types.ts';

const loud = (durationSec: number, overrides: Partial<Measured> = {}): Measured => ({
  durationSec,
  levels: Array.from({ length: Math.ceil(durationSec) }, () => -20),
  silences: [],
  voices: null,
  ...overrides,
});

describe('cutting a recording', () => {
  it('does not cut a remainder that fits in one piece', () => {
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

  it('cuts in the quietest second if nobody pauses', () => {
    const sound = loud(1_000);
    sound.levels[550] = -35;
    sound.levels[100] = -50;
    expect(nextCut(sound, 0, 600)).toBe(550.5);
  });

  it('halves a piece in the longest pause near its middle, and in its middle if nothing was measured', () => {
    const silences = [
      { start: 210, end: 230 },
      { start: 290, end: 292 },
      { start: 320, end: 326 },
    ];
    const piece = { start: 200, end: 400 };
    expect(halvesOf(loud(1_000, { silences }), piece, 0.6)).toEqual([
      { start: 200, end: 291 },
      { start: 291, end: 400 },
    ]);
    const [first, second] = halvesOf(loud(1_000, { levels: [] }), piece, 0.6);
    expect([first.start, first.end, second.end]).toEqual([200, second.start, 400]);
    expect(Math.abs(first.end - 300)).toBeLessThanOrEqual(20);
  });

  it('cuts at the limit if nothing was measured', () => {
    expect(nextCut(loud(1_000, { levels: [] }), 0, 600)).toBe(600);
  });

  it.each([60, 600])('always advances, and never by more than %d s', (maxSec) => {
    const silences = Array.from({ length: 400 }, (_, index) => ({ start: index * 37.3, end: index * 37.3 + 0.4 }));
    const sound = loud(14_400, { silences });
    let start = 0;
    let pieces = 0;
    for (;;) {
      const piece = nextPiece(sound, start, { maxSec, maxPauseSec: 10 });
      if (piece === null) break;
      expect(piece.start).toBe(start);
      expect(piece.end - start).toBeLessThanOrEqual(maxSec);
      expect(piece.end === sound.durationSec || piece.end - start >= maxSec * 0.75).toBe(true);
      start = piece.end;
      pieces += 1;
    }
    expect(start).toBe(14_400);
    expect(pieces).toBeLessThanOrEqual(Math.ceil(14_400 / (maxSec * 0.75)));
  });

  it('returns nothing for an empty recording', () => {
    expect(nextPiece(loud(0), 0, { maxSec: 600, maxPauseSec: 10 })).toBeNull();
  });
});

describe('pieces of a recording with detected voices', () => {
  const piecesOf = (measured: Measured, maxSec = 600): [number, number][] => {
    const pieces: [number, number][] = [];
    for (let start = 0; ;) {
      const piece = nextPiece(measured, start, { maxSec, maxPauseSec: 10 });
      if (piece === null) return pieces;
      pieces.push([piece.start, piece.end]);
      start = piece.end;
    }
  };

  it('begin and end with a voice, and include short pauses', () => {
    const voices = [
      { start: 20, end: 30 },
      { start: 38, end: 40 },
      { start: 60, end: 61 },
    ];
    expect(piecesOf(loud(100, { voices }))).toEqual([
      [19.5, 40.5],
      [59.5, 61.5],
    ]);
  });

  it('stay within the recording, and are empty without a voice', () => {
    expect(piecesOf(loud(10, { voices: [{ start: 0.2, end: 9.9 }] }))).toEqual([[0, 10]]);
    expect(piecesOf(loud(10, { voices: [] }))).toEqual([]);
  });

  it('are cut in the pauses of long speech, and lose none of it', () => {
    const silences = Array.from({ length: 99 }, (_, index) => ({ start: index * 10 + 9, end: index * 10 + 10 }));
    const voices = silences.map(({ start }) => ({ start: start - 9, end: start }));
    const pieces = piecesOf(loud(990, { silences, voices }), 60);
    for (const { start, end } of voices)
      expect(pieces.filter((piece) => piece[0] <= start && piece[1] >= end)).toHaveLength(1);
    for (const [at, [start, end]] of pieces.entries()) {
      expect(end - start).toBeLessThanOrEqual(60);
      if (at > 0) expect(start).toBeGreaterThanOrEqual(pieces[at - 1]?.[1] ?? Infinity);
    }
  });

  it('contain no words where nobody speaks', () => {
    const measured = loud(60, { voices: [{ start: 20, end: 30 }] });
    expect(liesInSilence(measured, { start: 2, end: 12 })).toBe(true);
    expect(liesInSilence(measured, { start: 28, end: 34 })).toBe(false);
    expect(liesInSilence(measured, { start: 29.9, end: 40 })).toBe(true);
  });
});

describe('silence', () => {
  it('is a piece without one second of possible speech', () => {
    const levels = [-Infinity, -70, -60, -40];
    expect(isSilent(loud(4, { levels }), { start: 0, end: 3 })).toBe(true);
    expect(isSilent(loud(4, { levels }), { start: 0, end: 4 })).toBe(false);
  });

  it('is not assumed if nothing was measured', () => {
    expect(isSilent(loud(4, { levels: [] }), { start: 0, end: 3 })).toBe(false);
  });

  it('contains a segment without a length if the half seconds around it are silent', () => {
    const levels = [-70, -70, -70, -20];
    const at = (time: number) => ({ start: time, end: time });
    expect(liesInSilence(loud(4, { levels }), at(2))).toBe(true);
    expect(liesInSilence(loud(4, { levels }), at(0))).toBe(true);
    expect(liesInSilence(loud(4, { levels }), at(3))).toBe(false);
    const voices = [{ start: 0, end: 10 }];
    expect(liesInSilence(loud(60, { voices }), at(60))).toBe(true);
    expect(liesInSilence(loud(60, { voices }), at(10))).toBe(false);
  });

  it('contains a segment that overlaps it by nine tenths', () => {
    const levels = [-70, -70, -70, -70, -20];
    expect(liesInSilence(loud(5, { levels }), { start: 0, end: 4.4 })).toBe(true);
    expect(liesInSilence(loud(5, { levels }), { start: 0, end: 4.6 })).toBe(false);
  });
});
