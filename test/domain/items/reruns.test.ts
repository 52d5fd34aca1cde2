import { describe, expect, it } from '@jest/globals';
import { newStepRecords } from '../../../domain/analysis/outdatedSteps.ts';
import { stepsToRedo, type RerunCandidate, type RerunFilter } from '../../../domain/items/reruns.ts';
import { STEPS, type StepRecord, type StepRecords } from '../../../domain/analysis/steps.ts';

const done = (model?: string): StepRecord => ({
  ...newStepRecords(1).summary,
  state: 'done',
  ...(model !== undefined && { model }),
});
const skipped = (code: string): StepRecord => ({
  ...newStepRecords(1).summary,
  state: 'skipped',
  error: { code, message: '' },
});

/** Every step is done. */
const READY = Object.fromEntries(STEPS.map((step) => [step, done()])) as StepRecords;
const running: StepRecord = { ...newStepRecords(1).summary, state: 'running' };
const deferred: StepRecord = { ...newStepRecords(1).summary, state: 'deferred' };

function item(steps: Partial<StepRecords> = {}, rest: Partial<RerunCandidate> = {}): RerunCandidate {
  return { origin: 'api', deleted: false, status: 'ready', steps: { ...newStepRecords(1), ...steps }, ...rest };
}

describe('a requested rerun', () => {
  it.each<[RerunFilter, Partial<RerunCandidate>, ReturnType<typeof stepsToRedo>]>([
    [{ status: null, steps: null }, {}, 'all'],
    [{ status: 'ready', steps: ['summary'] }, {}, ['summary']],
    [{ status: 'failed', steps: null }, {}, null],
    [{ status: null, steps: null }, { deleted: true }, null],
    [{ status: null, steps: null }, { origin: 'order' }, null],
    [{ status: null, steps: null }, { origin: 'import' }, 'all'],
    [{ status: null, steps: null }, { steps: newStepRecords(1) }, null],
    [{ status: null, steps: ['speech', 'summary'] }, { steps: { ...READY, speech: running } }, ['summary']],
    [{ status: null, steps: ['speech'] }, { steps: { ...READY, speech: running } }, null],
    [
      { status: null, steps: null },
      { steps: { ...READY, embedding: newStepRecords(1).embedding } },
      ['prepare', 'speech', 'vision', 'summary'],
    ],
    [{ status: null, steps: ['speech'] }, { steps: { ...READY, speech: deferred } }, ['speech']],
  ])('%j of %j: %j', (filter, rest, expected) => {
    expect(stepsToRedo(filter, item(READY, rest))).toEqual(expected);
  });
});

describe('a change of models', () => {
  it.each<[string, StepRecord, boolean]>([
    ['another one', done('a/1'), true],
    ['the same', done('a/2'), false],
    ['one that is not recorded', done(), true],
    ['none, for want of a provider', skipped('no_speech_provider'), true],
    ['none, for want of sound', skipped('no_audio'), false],
    ['none yet', newStepRecords(1).speech, false],
  ])('reruns a step or not, by the model that computed it: %s', (_, record, concerned) => {
    expect(stepsToRedo({ models: { speech: 'a/2' } }, item({ speech: record, vision: done('other') }))).toEqual(
      concerned ? ['speech'] : null,
    );
  });

  it('names every step that it affects', () => {
    expect(
      stepsToRedo(
        { models: { speech: 'a/2', embedding: 'e/2', summary: 's/1' } },
        item({ speech: done('a/1'), summary: done('s/1'), embedding: done('e/1') }),
      ),
    ).toEqual(['speech', 'embedding']);
  });

  it('affects an item of an order that was analysed, and none that never was', () => {
    const filter = { models: { embedding: 'e/2' } };
    const order = { origin: 'order' as const };
    expect(stepsToRedo(filter, item({ embedding: done('e/1') }, order))).toEqual(['embedding']);
    const never = Object.fromEntries(STEPS.map((step) => [step, { ...done(), state: 'skipped' }])) as StepRecords;
    expect(stepsToRedo(filter, item(never, order))).toBeNull();
  });
});
