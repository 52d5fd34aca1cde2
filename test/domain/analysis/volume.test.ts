import { describe, expect, it } from '@jest/globals';
import { isAsPlanned } from '../../../domain/analysis/plan.ts';
import { newStepRecords } from '../../../domain/analysis/outdatedSteps.ts';
import {
  mapSteps,
  type Step,
  type StepRecord,
  type StepRecords,
  type StepState,
} from '../../../domain/analysis/steps.ts';
import {
  distinctSubjects,
  missingSubjects,
  monthOf,
  endedReservations,
  withWaiting,
} from '../../../domain/analysis/volume.ts';

/** Returns records of the given states, at revision 1 unless `revisions` says otherwise. */
function steps(states: Partial<Record<Step, StepState>>, revisions: Partial<Record<Step, number>> = {}): StepRecords {
  const queued = newStepRecords(1);
  return mapSteps((step): StepRecord => ({
    ...queued[step],
    state: states[step] ?? 'queued',
    revision: revisions[step] ?? 1,
  }));
}

const TEXT = { prepare: 'skipped', speech: 'skipped', vision: 'skipped' } as const;
const medium = (speech: string, vision: string, mediumId = 'm') => ({ mediumId, speech, vision });
const held = (subject: string, revision = 1, settled = false) => ({ subject, revision, settled });
const missing = (...args: Parameters<typeof missingSubjects>) => Object.fromEntries(missingSubjects(...args));

describe('the month', () => {
  // proves: decisions-volume/month
  it.each([
    ['2026-11-30T20:59:59.999Z', '2026-11-01'],
    ['2026-11-30T21:00:00Z', '2026-12-01'],
    ['2026-12-31T21:00:00Z', '2027-01-01'],
  ])('at %s is %s in Moscow', (time, month) => {
    expect(monthOf(new Date(time))).toBe(month);
  });
});

describe('missing units', () => {
  it('do not exist before media are prepared', () => {
    expect(missing(steps({}), [medium('todo', 'todo')], [])).toEqual({});
  });

  it('are those of each medium that still owes the step', () => {
    expect(missing(steps({ prepare: 'done' }), [medium('todo', 'todo', 'a'), medium('done', 'todo', 'b')], [])).toEqual(
      {
        speech: [{ subject: 'a', revision: 1 }],
        vision: [
          { subject: 'a', revision: 1 },
          { subject: 'b', revision: 1 },
        ],
      },
    );
  });

  it('are those of the text once the media are done, for both steps that read it', () => {
    expect(missing(steps({ prepare: 'done', speech: 'queued', vision: 'done' }), [medium('done', 'done')], [])).toEqual(
      {},
    );
    expect(missing(steps(TEXT), [], [])).toEqual({
      summary: [{ subject: '', revision: 1 }],
      embedding: [{ subject: '', revision: 1 }],
    });
    expect(missing(steps({ ...TEXT, summary: 'running' }, { embedding: 2 }), [], [held('')])).toEqual({
      embedding: [{ subject: '', revision: 2 }],
    });
  });

  it('exclude units reserved at that revision, and steps that are not queued', () => {
    expect(missing(steps(TEXT), [], [held('')])).toEqual({});
    expect(Object.keys(missing(steps(TEXT), [], [held('', 2)]))).toEqual(['summary', 'embedding']);
    expect(missing(steps({ ...TEXT, summary: 'waiting', embedding: 'deferred' }), [], [])).toEqual({});
  });
});

describe('endedReservations', () => {
  it.each<[string, StepState, StepState, boolean | null]>([
    ['while a step is unfinished', 'done', 'queued', null],
    ['while a step waits', 'failed', 'waiting', null],
    ['when one is done', 'failed', 'done', true],
    ['when none is done', 'failed', 'failed', false],
    ['when all were skipped', 'skipped', 'skipped', false],
  ])('for a text %s (summary %s, embedding %s): isDone is %s', (_, summary, embedding, isDone) => {
    expect(endedReservations([held('')], steps({ ...TEXT, summary, embedding }), [])).toEqual(
      isDone === null ? [] : [{ ...held(''), isDone }],
    );
  });

  it.each<[string, string, boolean | null]>([
    ['todo', 'done', null],
    ['done', 'failed', true],
    ['skipped', 'failed', false],
  ])('for a medium (speech %s, vision %s): isDone is %s', (speech, vision, isDone) => {
    expect(endedReservations([held('m')], steps({ prepare: 'done' }), [medium(speech, vision)])).toEqual(
      isDone === null ? [] : [{ ...held('m'), isDone }],
    );
  });

  it('include that of a medium whose other step does not apply to the item', () => {
    expect(
      endedReservations([held('m')], steps({ prepare: 'done', speech: 'done', vision: 'skipped' }), [
        medium('done', 'todo'),
      ]),
    ).toEqual([{ ...held('m'), isDone: true }]);
  });

  it('include one of another revision, and one whose medium is gone', () => {
    expect(
      endedReservations([held('', 1), held('gone', 2, true)], steps(TEXT, { summary: 2, embedding: 2 }), []),
    ).toEqual([
      { ...held('', 1), isDone: false },
      { ...held('gone', 2, true), isDone: false },
    ]);
  });
});

describe('waiting steps', () => {
  it('name the units that they wait for', () => {
    const waiting = withWaiting(steps(TEXT), new Set(['summary']), 7);
    expect([waiting.summary, waiting.embedding.state]).toEqual([
      { ...steps(TEXT).summary, state: 'waiting', units: 7 },
      'queued',
    ]);
  });
});

describe('subjects', () => {
  it('are distinguished by revision too', () => {
    expect(
      distinctSubjects([
        { subject: 'a', revision: 1 },
        { subject: 'a', revision: 2 },
        { subject: 'a', revision: 1 },
      ]),
    ).toEqual([
      { subject: 'a', revision: 1 },
      { subject: 'a', revision: 2 },
    ]);
  });
});

describe('a result', () => {
  it.each<[string, StepRecords, boolean]>([
    ['belongs to the current plan with nothing else changed', steps({ ...TEXT, summary: 'done' }), true],
    [
      'does not belong to the current plan with another step outdated meanwhile',
      steps({ ...TEXT, summary: 'done' }, { embedding: 2 }),
      false,
    ],
    [
      'belongs to the current plan with another step over meanwhile',
      steps({ ...TEXT, summary: 'done', embedding: 'failed' }, { embedding: 2 }),
      true,
    ],
  ])('%s', (_, after, expected) => {
    expect(isAsPlanned(after, steps({ ...TEXT, summary: 'running' }))).toBe(expected);
  });

  it('does not belong to the current plan if a waiting step may continue', () => {
    expect(
      isAsPlanned(steps({ ...TEXT, summary: 'done' }), steps({ ...TEXT, summary: 'running', embedding: 'waiting' })),
    ).toBe(false);
  });
});
