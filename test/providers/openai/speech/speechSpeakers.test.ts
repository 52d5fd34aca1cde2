import { describe, expect, it } from '@jest/globals';
import type { TranscribedSegment } from '../../../../providers/openai/speech/speechAnswer.ts';
import { matchSpeakers, nameSpeakers, voiceSamples } from '../../../../providers/openai/speech/speechSpeakers.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const said = (speaker: string | null, start: number, end: number): TranscribedSegment => ({
  start,
  end,
  speaker,
  text: 'слова',
  noSpeechProb: null,
  avgLogprob: null,
  compressionRatio: null,
});
const OVERLAP = { start: 570, end: 600 };

describe('matchSpeakers', () => {
  it('matches the names of two pieces whose speakers speak at the same time', () => {
    const earlier = [said('A', 560, 580), said('B', 581, 590), said('A', 591, 600)];
    const later = [said('B', 570, 580.4), said('A', 580.8, 590), said('B', 591, 600), said('C', 601, 650)];
    expect(matchSpeakers(earlier, later, OVERLAP)).toEqual(
      new Map([
        ['B', 'A'],
        ['A', 'B'],
      ]),
    );
  });

  it('takes little time for thousands of speakers at the same time', async () => {
    const crowd = (name: string) => Array.from({ length: 1_500 }, (_, at) => said(`${name}${at}`, 570, 600));
    expect(await cpuMsOf(() => matchSpeakers(crowd('A'), crowd('B'), OVERLAP))).toBeLessThan(1_000);
  });

  it('gives nobody two names, and no name to two', () => {
    const earlier = [said('A', 570, 600)];
    const later = [said('A', 570, 582), said('B', 582, 600)];
    expect(matchSpeakers(earlier, later, OVERLAP)).toEqual(new Map([['B', 'A']]));
  });

  it.each([
    ['a second is not shared', [said('A', 570, 570.9)], [said('A', 570, 570.9)]],
    ['most of the speech is not shared', [said('A', 570, 575)], [said('A', 572, 585)]],
    ['they speak outside the overlap', [said('A', 500, 569)], [said('A', 601, 640)]],
    ['somebody has no name', [said(null, 570, 600)], [said('A', 570, 600)]],
  ])('concludes nothing if %s', (_, earlier, later) => {
    expect(matchSpeakers(earlier, later, OVERLAP).size).toBe(0);
  });
});

describe('nameSpeakers', () => {
  it('keeps the names of the first piece, and prefixes a new name with the number of a later one', () => {
    const names = (number: string, matched = new Map<string, string>()) =>
      nameSpeakers([said('A', 0, 1), said('B', 1, 2), said(null, 2, 3)], matched, number).map((each) => each.speaker);
    expect(names('1')).toEqual(['A', 'B', null]);
    expect(names('3', new Map([['A', '2:B']]))).toEqual(['2:B', '3:B', null]);
  });
});

describe('voiceSamples', () => {
  it('are from the middle of the longest segment of those who speak most, four at most', () => {
    const segments = [
      said('A', 0, 5),
      said('A', 10, 30),
      said('B', 30, 33),
      said('B', 40, 49),
      said('C', 50, 90),
      said('D', 100, 106),
      said('2:A', 110, 115),
      said(null, 120, 400),
    ];
    expect(voiceSamples(segments)).toEqual([
      { speaker: 'C', start: 66, end: 74 },
      { speaker: 'A', start: 16, end: 24 },
      { speaker: 'B', start: 40.5, end: 48.5 },
      { speaker: 'D', start: 100, end: 106 },
    ]);
  });

  it('are not made of short segments', () => {
    expect(voiceSamples([said('A', 0, 2.4), said('A', 3, 4)])).toEqual([]);
  });
});
