/** The rules of the pipeline page. */
import { describe, expect, it } from '@jest/globals';
import { stoppedAtOf } from '../../../cabinet/src/data/items/stoppedAt.ts';
import { delayReason } from '../../../cabinet/src/pages/content/pipeline/delayReason.ts';
import { volumeDays } from '../../../cabinet/src/pages/content/settings/volume/volumeDays.ts';
import { en } from '../../../cabinet/src/words/en/index.ts';
import { completeHours, PIPELINE_HOURS } from '../../../domain/analysis/pipelineCounts.ts';

describe('the step in an address', () => {
  it.each([
    [
      { step: 'speech', code: 'no_audio' },
      { step: 'speech', code: 'no_audio' },
    ],
    [{ step: 'speech' }, { step: 'speech', code: undefined }],
    [{ code: 'no_audio' }, { step: undefined, code: undefined }],
    [
      { step: 'x', code: 'no_audio' },
      { step: undefined, code: undefined },
    ],
    [
      { step: 'speech', code: '<b>' },
      { step: 'speech', code: undefined },
    ],
    [
      { step: 7, code: {} },
      { step: undefined, code: undefined },
    ],
  ])('%j is read as %j', (search, read) => {
    expect(stoppedAtOf(search)).toEqual(read);
  });
});

describe('what an item waits for', () => {
  const processing = {
    prepare: 'done',
    speech: 'done',
    vision: 'done',
    summary: 'queued',
    embedding: 'queued',
  } as const;
  const item = { id: 'a', title: null, status: 'processing', since: '2026-11-20T09:00:00.000Z' } as const;

  it.each([
    [{ ...item, processing }, 'Summary: queued'],
    [{ ...item, processing: { ...processing, speech: 'running' } }, 'Speech: running'],
    [{ ...item, processing: { ...processing, summary: 'waiting' } }, 'Summary: waits for volume'],
    [
      {
        ...item,
        processing: { ...processing, speech: 'deferred', summary: 'deferred' },
        processing_errors: { speech: { code: 'provider_quota', message: '' } },
      },
      'Speech: The quota with the provider is used up',
    ],
  ] as const)('is a step and its state or reason: %#', (waiting, text) => {
    expect(delayReason(waiting, en)).toBe(text);
  });
});

it('the hours are complete, with the current one last', () => {
  const known = [{ hour: new Date('2026-11-20T08:00:00Z'), queued: 3, ready: 2, partial: 0, failed: 0 }];
  const hours = completeHours(known, new Date('2026-11-20T09:59:59Z'));
  expect(hours).toHaveLength(PIPELINE_HOURS);
  expect(hours.slice(-2)).toEqual([
    known[0],
    { hour: new Date('2026-11-20T09:00:00Z'), queued: 0, ready: 0, partial: 0, failed: 0 },
  ]);
});

describe('the days of a month of usage', () => {
  const now = new Date('2026-11-20T21:30:00Z'); // The 21st in Moscow.

  it('end today, with zeros where nothing was used', () => {
    const days = volumeDays({ month: '2026-11', days: [{ day: '2026-11-20', used: 5 }] }, now);
    expect([days.length, days[0], days.slice(-2)]).toEqual([
      21,
      { day: '2026-11-01', used: 0 },
      [
        { day: '2026-11-20', used: 5 },
        { day: '2026-11-21', used: 0 },
      ],
    ]);
  });

  it('of a past month reach its end, or beyond it if its units were used later', () => {
    expect(volumeDays({ month: '2026-02', days: [] }, now)).toHaveLength(28);
    expect(volumeDays({ month: '2026-10', days: [{ day: '2026-11-02', used: 1 }] }, now).at(-1)).toEqual({
      day: '2026-11-02',
      used: 1,
    });
  });

  it('of a future month are empty', () => {
    expect(volumeDays({ month: '2027-01', days: [] }, now)).toEqual([]);
  });
});
