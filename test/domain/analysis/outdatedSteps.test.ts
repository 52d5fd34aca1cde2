import { describe, expect, it } from '@jest/globals';
import { newStepRecords, outdatedBy, outdatedByRequest, withOutdated } from '../../../domain/analysis/outdatedSteps.ts';
import { mapSteps, STEPS, type Step } from '../../../domain/analysis/steps.ts';

const NOTHING = { text: false, mediaAdded: false, mediaRemoved: false };
const inOrder = (steps: ReadonlySet<Step>): Step[] => STEPS.filter((step) => steps.has(step));

describe('outdatedBy', () => {
  it.each<[string, Partial<typeof NOTHING>, Step[]]>([
    ['no change', {}, []],
    ['text', { text: true }, ['summary', 'embedding']],
    ['a new medium', { mediaAdded: true }, ['prepare', 'speech', 'vision', 'summary', 'embedding']],
    ['a removed medium', { mediaRemoved: true }, ['summary', 'embedding']],
    ['text and a removed medium', { text: true, mediaRemoved: true }, ['summary', 'embedding']],
    [
      'everything',
      { text: true, mediaAdded: true, mediaRemoved: true },
      ['prepare', 'speech', 'vision', 'summary', 'embedding'],
    ],
  ])('returns the outdated steps for %s', (_, change, steps) => {
    expect(inOrder(outdatedBy({ ...NOTHING, ...change }))).toEqual(steps);
  });
});

describe('outdatedByRequest', () => {
  const closure: Record<Step, Step[]> = {
    prepare: ['prepare', 'speech', 'vision', 'summary', 'embedding'],
    speech: ['speech', 'summary', 'embedding'],
    vision: ['vision', 'summary', 'embedding'],
    summary: ['summary', 'embedding'],
    embedding: ['embedding'],
  };

  // proves: states/reprocess
  it('returns the named steps and all their dependents, for each of the 32 subsets', () => {
    for (let bits = 0; bits < 32; bits += 1) {
      const asked = STEPS.filter((_, index) => bits & (1 << index));
      const ought = new Set(asked.flatMap((step) => closure[step]));
      expect(inOrder(outdatedByRequest(asked))).toEqual(inOrder(ought));
    }
  });

  // proves: states/reprocess
  it('returns everything, including media preparation, if no steps are named', () => {
    expect(inOrder(outdatedByRequest(null))).toEqual([...STEPS]);
  });
});

describe('step records', () => {
  it('are all queued for a new item', () => {
    expect(Object.values(newStepRecords(1))).toEqual(
      STEPS.map(() => ({ state: 'queued', revision: 1, deferrals: 0, retryAt: null, error: null })),
    );
  });

  it('lose errors and deferrals of outdated steps, and keep the rest', () => {
    const error = { code: 'x', message: 'y' };
    const before = mapSteps(() => ({
      state: 'deferred' as const,
      revision: 3,
      deferrals: 2,
      retryAt: '2026-01-01T00:00:00.000Z',
      error,
    }));
    const after = withOutdated(before, new Set<Step>(['summary']), 4);
    expect(after.summary).toEqual({ state: 'queued', revision: 4, deferrals: 0, retryAt: null, error: null });
    for (const step of STEPS) if (step !== 'summary') expect(after[step]).toBe(before[step]);
  });
});
